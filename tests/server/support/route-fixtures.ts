import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { DeskReportList } from '#contract/records/desk.ts';
import { createLinkToken } from '#server/features/mail/links.ts';
import { putDevice } from '#server/features/account/devices.ts';
import { createStopUrl } from '#server/features/mail/stop-links.ts';
import { addChallenge } from '#server/features/account/challenges.ts';
import { ageRequests, guardians, passkeys, users } from '#server/platform/db/schema.ts';
import type { NewRecoveryCodes } from '#contract/records/sign-in.ts';
import type { RouteFixture } from '../route-row.ts';
import { getCreateCall } from '../section-routes.table.ts';
import { castingCalls } from './casting.ts';
import { colleagueCalls } from './colleagues.ts';
import { deskCalls } from './desk.ts';
import { TestAuthenticator } from './authenticator.ts';
import { linkCalls } from './links.ts';
import { addCredit, addPhoto, addProfile, addSkill, addUpload, requestConnection, block, connect } from './people.ts';
import { tapeCalls } from './tapes.ts';
import type { Person, TestServer } from './test-server.ts';

const HOUR_MS = 3_600_000;
const NO_FILES = { photoId: '', photoPath: '', uploadId: '', emptyUploadId: '' };
const NO_ACCESS = { passkeyId: '', addBody: {}, signInBody: {}, code: '' };
/** Where a server without PUBLIC_URL works with passkeys. */
const LOCAL_ORIGIN = 'http://localhost:3000';
const NO_DESK = { reportId: '', actId: '', jobId: '' };
const NO_CASTING = {
  projectId: '',
  roleId: '',
  candidateId: '',
  requestId: '',
  emptyProjectId: '',
  emptyRoleId: '',
  otherProfileId: '',
  auditionId: '',
  deadlineAt: '',
  connectionId: '',
  memberId: '',
  invitationId: '',
  placeId: '',
};
const NO_TAPES = { auditionId: '', sentId: '', uploadId: '', receivedId: '' };
const NO_SHARE_LINK = { id: '', roleId: '', name: '', token: '', session: '', takeId: '', takeUrl: '' };
const NO_CONVERSATION = { id: '', connectionId: '', otherId: '' };

interface Needs {
  route: string;
  files: boolean;
  credit: boolean;
  skill: boolean;
  feedback: boolean;
  conversation: boolean;
  otherSession: boolean;
  request: boolean;
  access: boolean;
  desk: boolean;
  ageRequest: boolean;
  casting: boolean;
  tapes: boolean;
  shareLink: boolean;
}
/** Returns what a call needs. Pictures are slow to create, so only calls about files get them. */
export const getNeeds = (route: string): Needs => ({
  route,
  files: /media|storage|uploads|avatar/.test(route),
  credit: route.includes('/experience/'),
  skill: route.includes('/skills/'),
  feedback: route.endsWith('/feedback/:id'),
  conversation: /chat|conversations|broadcasting/.test(route),
  otherSession: route.includes('/sessions'),
  request: route.includes('/connections/'),
  access: /passkey|recovery/.test(route),
  desk: route.includes(' /desk/'),
  ageRequest: /born-on.request|age-requests/.test(route),
  casting: /casting|auditions/.test(route) && !/\/(tapes|links)/.test(route),
  tapes: route.includes('/tapes'),
  shareLink: /\/casting\/links|\/watch\//.test(route),
});
export const EVERYTHING: Needs = {
  route: '',
  files: true,
  credit: true,
  skill: true,
  feedback: true,
  conversation: true,
  otherSession: true,
  request: true,
  access: true,
  desk: true,
  ageRequest: true,
  casting: true,
  tapes: true,
  shareLink: true,
};

/** A fixture that also has a connection of the owner, a person whom the owner has blocked, a minor, and an operator. */
export type FullRouteFixture = RouteFixture & { friend: Person; blocked: Person; minor: Person; operator: Person };

/** Calls that end the session or account of their caller. */
const ENDS_CALLER = new Set([
  'DELETE /account',
  'POST /logout',
  'PUT /password',
  'POST /password/reset',
  'POST /secure',
]);

/** Creates the people and rows that the route tables use. */
export function createFixtureFactory(testServer: TestServer) {
  const { joinDesk, act } = deskCalls(testServer);
  let fixtureCount = 0;
  async function addFiles(owner: Person, profileId: string): Promise<typeof NO_FILES> {
    const photo = await addPhoto(testServer, owner, profileId);
    return {
      photoId: photo.id,
      photoPath: photo.path,
      uploadId: await addUpload(testServer, owner),
      emptyUploadId: await addUpload(testServer, owner, { lengthBytes: 10 }),
    };
  }

  async function addSectionRow(route: string, owner: Person, profileId: string): Promise<string> {
    const maker = getCreateCall(route);
    if (maker === null) return '';
    const body = { profile_id: profileId, ...maker.body };
    const made = await testServer.call<{ data: { id: string } | { id: string }[] }>(`POST ${maker.path}`, {
      token: owner.token,
      body,
    });
    return [made.body.data].flat()[0]?.id ?? '';
  }

  /** The author is a connection, so that the feedback is visible immediately. */
  async function addFeedbackAbout(owner: Person, profileId: string): Promise<string> {
    const colleague = await testServer.join('Colleague');
    await connect(testServer, colleague, owner);
    const { token } = colleague;
    const body = { profile_id: profileId, feedback: 'Prepared and punctual' };
    return (await testServer.call<{ data: { id: string } }>('POST /feedback', { token, body })).body.data.id;
  }

  async function addConversation(owner: Person): Promise<RouteFixture['conversation']> {
    const other = await testServer.join('Colleague');
    const connectionId = await connect(testServer, other, owner);
    const { body } = await testServer.call<{ conversation_id: string }[]>('GET /conversations', { token: other.token });
    return { id: body[0]?.conversation_id ?? '', connectionId, otherId: other.id };
  }

  const addDevice = ({ id }: Person) =>
    putDevice(testServer.database.db, Number(id), randomUUID(), { name: 'Phone', place: null }, testServer.clock.now());

  async function addLinks({ id, email }: Person): Promise<RouteFixture['links']> {
    const create = (purpose: 'verify' | 'reset' | 'secure' | 'guardian') =>
      createLinkToken(testServer.database.db, {
        request: randomUUID(),
        userId: Number(id),
        purpose,
        address: email,
        expiresAt: new Date(testServer.clock.now().getTime() + HOUR_MS),
      });
    const stopUrl = await createStopUrl(testServer.database.db, '', {
      userId: Number(id),
      address: email,
      switchedBy: 'signInMail',
    });
    const asked = { userId: Number(id), email, state: 'asked' as const, askedAt: testServer.clock.now() };
    await testServer.database.db.insert(guardians).values(asked);
    return {
      verify: await create('verify'),
      reset: await create('reset'),
      secure: await create('secure'),
      guardian: await create('guardian'),
      stop: stopUrl,
    };
  }

  const addAgeRequest = ({ id }: Person) =>
    testServer.database.db.insert(ageRequests).values({
      userId: Number(id),
      wanted: '1994-08-17',
      bornOn: '2011-03-05',
      askedAt: testServer.clock.now(),
    });

  async function addAccess(owner: Person): Promise<RouteFixture['access']> {
    const { db } = testServer.database;
    const now = testServer.clock.now();
    const [own, other] = [new TestAuthenticator(LOCAL_ORIGIN), new TestAuthenticator(LOCAL_ORIGIN)];
    await db.insert(passkeys).values({
      id: own.id,
      userId: Number(owner.id),
      publicKey: own.publicKey,
      counter: 0,
      transports: [],
      aaguid: randomUUID(),
      isSynced: true,
      name: 'A phone',
      createdAt: now,
    });
    const toAdd = await testServer.call<Parameters<TestAuthenticator['create']>[0]>('POST /passkeys/options', {
      token: owner.token,
    });
    const signIn = { challenge_id: await addChallenge(db, 'sign-in', null, 'c2lnbiBpbg', now), options: {} };
    const made = await testServer.call<NewRecoveryCodes>('POST /recovery-codes', { token: owner.token });
    return {
      passkeyId: own.id,
      addBody: other.create(toAdd.body),
      signInBody: own.get({ ...signIn, options: { challenge: 'c2lnbiBpbg' } }),
      code: made.body.codes[0] ?? '',
    };
  }

  /** Returns the fixture, with a caller of its own for a call that ends their session or account: later calls still need the others. */
  async function forCall(route: string, fixture: FullRouteFixture): Promise<FullRouteFixture> {
    if (!ENDS_CALLER.has(route)) return fixture;
    const owner = await testServer.join();
    return { ...fixture, owner, links: await addLinks(owner) };
  }

  const makeMinor = ({ id }: Person) =>
    testServer.database.db
      .update(users)
      .set({ isMinor: true, bornOn: '2011-03-05' })
      .where(eq(users.id, Number(id)));

  /** Makes the owner a minor whose guardian has agreed. */
  async function makeOwnerMinor({ owner }: RouteFixture): Promise<void> {
    await makeMinor(owner);
    await testServer.database.db
      .update(guardians)
      .set({ state: 'agreed' })
      .where(eq(guardians.userId, Number(owner.id)));
  }

  async function addDesk(owner: Person, stranger: Person, operator: Person): Promise<RouteFixture['desk']> {
    const { db } = testServer.database;
    const body = { user_id: owner.id, reason: 'spam' };
    await testServer.call('POST /reports', { token: stranger.token, body });
    const open = await testServer.call<DeskReportList>('GET /desk/reports?limit=100', { token: operator.token });
    const reportId = open.body.data.find(({ person }) => person.id === owner.id)?.id ?? '';
    const closed = await act(operator, 'report.close', 'report', reportId);
    const { rows } = await db.execute<{ id: string }>(
      sql`select id from graphile_worker.add_job('tidy.limits', '{}'::json, run_at => now() + interval '1 day')`,
    );
    return { reportId, actId: closed.id, jobId: rows[0]?.id ?? '' };
  }

  async function addCasting(owner: Person, profileId: string): Promise<RouteFixture['casting']> {
    const { addCandidate, addPerformer, addProject, addRole, ask, inDays } = castingCalls(testServer);
    const [project, emptyProject, performer, other, office] = await Promise.all([
      addProject(owner),
      addProject(owner),
      addPerformer(),
      addPerformer(),
      testServer.join('Lantern Casting'),
    ]);
    const role = await addRole(owner, project);
    const ofOffice = await addRole(office, await addProject(office));
    const [colleague, friend] = [await testServer.join('Noor Haddad'), await testServer.join('Uma Friend')];
    for (const person of [colleague, friend, office]) await connect(testServer, person, owner);
    const { invite, answer } = colleagueCalls(testServer);
    const getInvited = async (inviter: Person, projectId: string, person: Person) =>
      (await invite(inviter, projectId, person)).body.data.id;
    const placeId = await getInvited(office, (await addProject(office)).id, owner);
    await answer(owner, placeId, 'accept');
    return {
      projectId: project.id,
      roleId: role.id,
      requestId: (await ask(owner, role, performer)).id,
      emptyProjectId: emptyProject.id,
      emptyRoleId: (await addRole(owner, project)).id,
      candidateId: (await addCandidate(owner, role, performer)).id,
      otherProfileId: other.profileId,
      auditionId: (await ask(office, ofOffice, { profileId })).id,
      deadlineAt: inDays(20),
      connectionId: friend.id,
      memberId: await getInvited(owner, project.id, colleague),
      invitationId: await getInvited(office, (await addProject(office)).id, owner),
      placeId,
    };
  }

  async function addTapes(owner: Person, profileId: string): Promise<RouteFixture['tapes']> {
    const { addPerformer, addRole, announce, ask, sendTape, upload } = tapeCalls(testServer);
    const caster = await testServer.join('Caster');
    const auditionId = await ask(caster, (await addRole(caster)).id, { ...owner, profileId });
    const uploadId = await upload(owner);
    const sent = await announce(owner, auditionId, { uploadIds: [uploadId] });
    const performer = await addPerformer();
    const received = await sendTape(performer, await ask(owner, (await addRole(owner)).id, performer));
    return { auditionId, sentId: sent.body.data.id, uploadId, receivedId: received.id };
  }

  async function addShareLink(owner: Person): Promise<RouteFixture['shareLink']> {
    const { addPerformer, addRole, ask, sendTape } = tapeCalls(testServer);
    const { makeLink, open } = linkCalls(testServer);
    const [role, performer] = [await addRole(owner), await addPerformer()];
    await sendTape(performer, await ask(owner, role.id, performer));
    const { id, client_id: name, token } = await makeLink(owner, role.id);
    const { session, tapes } = (await open({ client_id: name, token })).body;
    const [take] = tapes[0]!.takes;
    return { id, roleId: role.id, name, token, session, takeId: take!.id, takeUrl: take!.url };
  }

  /** @returns the id of a session on another device */
  async function addSession({ email, password, token }: Person): Promise<string> {
    await testServer.call('POST /login', { body: { email, password } });
    const sessions = await testServer.call<{ id: string; current: boolean }[]>('GET /sessions', { token });
    return sessions.body.find((session) => !session.current)?.id ?? '';
  }

  let types: Promise<{ body: { id: string }[] }> | undefined;
  /** Returns a type of which the owner has no profile yet. */
  async function getFreeTypeId(): Promise<string> {
    types ??= testServer.call<{ id: string }[]>('GET /profile_types');
    return (await types).body[1]?.id ?? '';
  }

  async function createFixture(needs: Needs): Promise<FullRouteFixture> {
    fixtureCount += 1;
    const people = ['Stranger', 'Friend', 'Blocked', 'Minor'].map((name) => testServer.join(name));
    const [owner, operator, stranger, friend, blocked, minor] = (await Promise.all([
      testServer.join(`Owner ${fixtureCount}`),
      joinDesk('operator'),
      ...people,
    ])) as [Person, Person, Person, Person, Person, Person];
    await makeMinor(minor);
    const profileId = (await addProfile(testServer, owner)).id;
    await Promise.all([connect(testServer, friend, owner), block(testServer, owner, blocked)]);
    if (needs.ageRequest) await addAgeRequest(owner);
    return {
      owner,
      stranger,
      friend,
      blocked,
      minor,
      operator,
      profileId,
      creditId: needs.credit ? (await addCredit(testServer, owner, profileId)).id : '',
      skillId: needs.skill ? (await addSkill(testServer, owner, profileId)).id : '',
      sectionRowId: await addSectionRow(needs.route, owner, profileId),
      feedbackId: needs.feedback ? await addFeedbackAbout(owner, profileId) : '',
      ...(needs.files ? await addFiles(owner, profileId) : NO_FILES),
      requestId: needs.request ? await requestConnection(testServer, await testServer.join('Asker'), owner) : '',
      conversation: needs.conversation ? await addConversation(owner) : NO_CONVERSATION,
      sessionId: needs.otherSession ? await addSession(owner) : '',
      deviceId: await addDevice(owner),
      links: await addLinks(owner),
      access: needs.access ? await addAccess(owner) : NO_ACCESS,
      tapes: needs.tapes ? await addTapes(owner, profileId) : NO_TAPES,
      shareLink: needs.shareLink ? await addShareLink(owner) : NO_SHARE_LINK,
      desk: needs.desk ? await addDesk(owner, stranger, operator) : NO_DESK,
      casting: needs.casting ? await addCasting(owner, profileId) : NO_CASTING,
      freeTypeId: await getFreeTypeId(),
    };
  }

  return { addSectionRow, createFixture, forCall, makeOwnerMinor };
}
