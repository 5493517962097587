import { beforeAll, describe, expect, test } from 'vitest';
import type { Request, Scene } from './route-row.ts';
import { ROUTES } from './routes.table.ts';
import { makerOf } from './section-routes.table.ts';
import {
  addCredit,
  addPhoto,
  addProfile,
  addSkill,
  addUpload,
  askToConnect,
  block,
  connect,
} from './support/people.ts';
import { useStage, type Person } from './support/stage.ts';

const stage = useStage();
let scenes = 0;

const NO_FILES = { photoId: '', photoPath: '', uploadId: '', emptyUploadId: '' };
async function filesOf(owner: Person, profileId: string): Promise<typeof NO_FILES> {
  const photo = await addPhoto(stage, owner, profileId);
  return {
    photoId: photo.id,
    photoPath: photo.path,
    uploadId: await addUpload(stage, owner),
    emptyUploadId: await addUpload(stage, owner, { lengthBytes: 10 }),
  };
}

async function sectionRowOf(route: string, owner: Person, profileId: string): Promise<string> {
  const maker = makerOf(route);
  if (maker === null) return '';
  const body = { profile_id: profileId, ...maker.body };
  const made = await stage.call<{ data: { id: string } | { id: string }[] }>(`POST ${maker.path}`, {
    token: owner.token,
    body,
  });
  return [made.body.data].flat()[0]?.id ?? '';
}

async function feedbackAbout(profileId: string): Promise<string> {
  const { token } = await stage.join('Colleague');
  const body = { profile_id: profileId, feedback: 'Prepared and punctual' };
  return (await stage.call<{ data: { id: string } }>('POST /feedback', { token, body })).body.data.id;
}

const NO_CONVERSATION = { id: '', connectionId: '', otherId: '' };
async function conversationOf(owner: Person): Promise<Scene['conversation']> {
  const other = await stage.join('Colleague');
  const connectionId = await connect(stage, other, owner);
  const { body } = await stage.call<{ conversation_id: string }[]>('GET /conversations', { token: other.token });
  return { id: body[0]?.conversation_id ?? '', connectionId, otherId: other.id };
}

interface Needs {
  route: string;
  files: boolean;
  feedback: boolean;
  conversation: boolean;
  otherSession: boolean;
  request: boolean;
}
/** What a call about one thing needs; pictures take longest to make, so only calls about files get them. */
const needsOf = (route: string): Needs => ({
  route,
  files: /media|storage|uploads|avatar/.test(route),
  feedback: route.endsWith('/feedback/:id'),
  conversation: /chat|conversations|broadcasting/.test(route),
  otherSession: route.includes('/sessions'),
  request: route.includes('/connections/'),
});
const EVERYTHING: Needs = {
  route: '',
  files: true,
  feedback: true,
  conversation: true,
  otherSession: true,
  request: true,
};

/** A scene with somebody the owner is connected with and somebody the owner has blocked. */
type FullScene = Scene & { friend: Person; blocked: Person };

async function newScene(needs: Needs): Promise<FullScene> {
  scenes += 1;
  const people = ['Stranger', 'Friend', 'Blocked'].map((name) => stage.join(name));
  const [owner, stranger, friend, blocked] = (await Promise.all([stage.join(`Owner ${scenes}`), ...people])) as [
    Person,
    Person,
    Person,
    Person,
  ];
  const profileId = (await addProfile(stage, owner)).id;
  await Promise.all([connect(stage, friend, owner), block(stage, owner, blocked)]);
  if (needs.otherSession) {
    await stage.call('POST /login', { body: { email: owner.email, password: owner.password } });
  }
  const sessions = await stage.call<{ id: string; current: boolean }[]>('GET /sessions', { token: owner.token });
  const types = await stage.call<{ id: string }[]>('GET /profile_types');
  return {
    owner,
    stranger,
    friend,
    blocked,
    profileId,
    creditId: (await addCredit(stage, owner, profileId)).id,
    skillId: (await addSkill(stage, owner, profileId)).id,
    sectionRowId: await sectionRowOf(needs.route, owner, profileId),
    feedbackId: needs.feedback ? await feedbackAbout(profileId) : '',
    ...(needs.files ? await filesOf(owner, profileId) : NO_FILES),
    requestId: needs.request ? await askToConnect(stage, await stage.join('Asker'), owner) : '',
    conversation: needs.conversation ? await conversationOf(owner) : NO_CONVERSATION,
    sessionId: sessions.body.find((session) => !session.current)?.id ?? '',
    freeTypeId: types.body[1]?.id ?? '',
  };
}

/** Everything at once, for requests that change nothing: those that only read, and those that are refused. */
let shared: FullScene;
/** The same with an inactive profile. */
let sharedInactive: FullScene;
const deactivate = ({ owner, profileId }: Scene) =>
  stage.call('PUT /profile/update', { token: owner.token, body: { profile_id: profileId, status: 'inactive' } });

beforeAll(async () => {
  [shared, sharedInactive] = await Promise.all([newScene(EVERYTHING), newScene(EVERYTHING)]);
  await deactivate(sharedInactive);
});

const sectionRows = new Map<string, Promise<string>>();
/** The shared scene, with a row of the section that the route is about. */
async function sharedScene(route: string, scene = shared): Promise<FullScene> {
  const key = `${scene.profileId} ${makerOf(route)?.path ?? ''}`;
  const row = sectionRows.get(key) ?? sectionRowOf(route, scene.owner, scene.profileId);
  sectionRows.set(key, row);
  return { ...scene, sectionRowId: await row };
}

/** 'METHOD /path' of everything the router knows, from its printed tree. */
function servedRoutes(): string[] {
  const served: string[] = [];
  const prefixes: string[] = [];
  for (const line of stage.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const node = /^([│├└─\s]*)(\S+?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (node === null) continue;
    const [, indent = '', part = '', methods = ''] = node;
    const depth = indent.length / 4;
    prefixes.length = depth;
    prefixes.push(part);
    for (const method of methods.split(', ').filter((name) => name !== '' && name !== 'HEAD')) {
      served.push(`${method} ${prefixes.slice(1).join('')}`);
    }
  }
  return served.filter((route) => !route.startsWith('OPTIONS '));
}

const send = (route: string, { path, ...ask }: Request, token: string | null) =>
  stage.call(`${route.split(' ', 1)[0]} ${path}`, { ...ask, token });

test('every call that is served is in the table, and no other', () => {
  const served = servedRoutes();
  expect(served.length).toBeGreaterThan(20);
  // The router prints two names of one place as ':profileId|:id'.
  const plain = (routes: readonly string[]) => routes.map((route) => route.replace(/:[^/]+/g, ':x')).sort();
  expect(plain(Object.keys(ROUTES))).toEqual(plain(served));
});

describe.each(Object.entries(ROUTES))('%s', (route, row) => {
  const onlyReads = route.startsWith('GET ');

  test(`answers ${row.anonymous} to anonymous, ${row.stranger} to a stranger, ${row.owner} to the owner`, async () => {
    const scene = onlyReads ? await sharedScene(route) : await newScene(needsOf(route));
    const asked = {
      anonymous: (await send(route, row.good(scene), null)).status,
      stranger: (await send(route, row.good(scene), scene.stranger.token)).status,
      connection: (await send(route, row.good(scene), scene.friend.token)).status,
      blocked: (await send(route, row.good(scene), scene.blocked.token)).status,
      owner: (await send(route, row.good(scene), scene.owner.token)).status,
    };
    expect(asked).toEqual({
      anonymous: row.anonymous,
      stranger: row.stranger,
      connection: row.connection ?? row.stranger,
      blocked: row.blocked ?? row.strangerToInactive ?? row.stranger,
      owner: row.owner,
    });
  });

  if (row.strangerToInactive !== null) {
    test(`answers ${row.strangerToInactive} to a stranger when the profile is inactive`, async () => {
      const scene = onlyReads ? await sharedScene(route, sharedInactive) : await newScene(needsOf(route));
      if (!onlyReads) await deactivate(scene);
      expect((await send(route, row.good(scene), scene.stranger.token)).status).toBe(row.strangerToInactive);
      expect((await send(route, row.good(scene), scene.owner.token)).status).toBe(row.owner);
    });
  }

  const { unknown, invalid } = row;
  if (unknown) {
    test('answers 404 where nothing is', async () => {
      const scene = await sharedScene(route);
      const answer = await send(route, unknown(scene), scene.owner.token);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: expect.any(String) });
    });
  }

  if (invalid) {
    test(`answers 422 naming ${invalid.fields.join(', ')}`, async () => {
      const scene = await sharedScene(route);
      const answer = await send(route, invalid.request(scene), scene.owner.token);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors as object).sort()).toEqual([...invalid.fields].sort());
    });
  }

  if (row.anonymous === 401) {
    test('answers 401 to a token that signs nobody in', async () => {
      const scene = await sharedScene(route);
      const answer = await send(route, row.good(scene), 'x'.repeat(43));
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ message: expect.any(String) });
    });
  }
});
