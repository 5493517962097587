import type { Scene } from '../route-row.ts';
import { makerOf } from '../section-routes.table.ts';
import { addCredit, addPhoto, addProfile, addSkill, addUpload, askToConnect, block, connect } from './people.ts';
import type { Person, Stage } from './stage.ts';

const NO_FILES = { photoId: '', photoPath: '', uploadId: '', emptyUploadId: '' };
const NO_CONVERSATION = { id: '', connectionId: '', otherId: '' };

interface Needs {
  route: string;
  files: boolean;
  feedback: boolean;
  conversation: boolean;
  otherSession: boolean;
  request: boolean;
}
/** Returns what a call needs. Pictures are slow to create, so only calls about files get them. */
export const needsOf = (route: string): Needs => ({
  route,
  files: /media|storage|uploads|avatar/.test(route),
  feedback: route.endsWith('/feedback/:id'),
  conversation: /chat|conversations|broadcasting/.test(route),
  otherSession: route.includes('/sessions'),
  request: route.includes('/connections/'),
});
export const EVERYTHING: Needs = {
  route: '',
  files: true,
  feedback: true,
  conversation: true,
  otherSession: true,
  request: true,
};

/** A fixture that also has a connection of the owner and a person whom the owner has blocked. */
export type FullScene = Scene & { friend: Person; blocked: Person };

/** Creates the people and rows that the route tables use. */
export function sceneMaker(stage: Stage) {
  let scenes = 0;
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

  /** The author is a connection, so that the feedback is visible immediately. */
  async function feedbackAbout(owner: Person, profileId: string): Promise<string> {
    const colleague = await stage.join('Colleague');
    await connect(stage, colleague, owner);
    const { token } = colleague;
    const body = { profile_id: profileId, feedback: 'Prepared and punctual' };
    return (await stage.call<{ data: { id: string } }>('POST /feedback', { token, body })).body.data.id;
  }

  async function conversationOf(owner: Person): Promise<Scene['conversation']> {
    const other = await stage.join('Colleague');
    const connectionId = await connect(stage, other, owner);
    const { body } = await stage.call<{ conversation_id: string }[]>('GET /conversations', { token: other.token });
    return { id: body[0]?.conversation_id ?? '', connectionId, otherId: other.id };
  }

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
      feedbackId: needs.feedback ? await feedbackAbout(owner, profileId) : '',
      ...(needs.files ? await filesOf(owner, profileId) : NO_FILES),
      requestId: needs.request ? await askToConnect(stage, await stage.join('Asker'), owner) : '',
      conversation: needs.conversation ? await conversationOf(owner) : NO_CONVERSATION,
      sessionId: sessions.body.find((session) => !session.current)?.id ?? '',
      freeTypeId: types.body[1]?.id ?? '',
    };
  }

  return { sectionRowOf, newScene };
}
