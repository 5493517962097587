import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { countPages } from '#contract/casting/pages.ts';
import { PROJECT_FORM } from '#contract/casting/project.ts';
import { CASTING_LIMITS, type AuditionRequest, type Project, type Role } from '#contract/records/casting.ts';
import { castingProjects, castingRoles, offices, users } from '#server/platform/db/schema.ts';
import { castingCalls } from './support/casting.ts';
import { block, connect } from './support/people.ts';
import { openTestServer, useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const calls = castingCalls(testServer);
const { addPerformer, addProject, addRole, ask, cast, castingCall, change, createScene, inDays, send, tryAsk } = calls;
const { read, readAuditions, readNews, readRequests, say, toAsk } = calls;
const { pull } = viewerCalls(testServer);
const HOUR_MS = 3_600_000;

describe('a project', () => {
  test('is created once for each client id, changed field by field, closed and opened again', async () => {
    const owner = await testServer.join();
    const client_id = randomUUID();
    const project = await addProject(owner, { client_id });
    expect(project).toMatchObject({ client_id, title: 'The Salt Road', status: 'open', version: 1 });
    expect((await addProject(owner, { client_id, title: 'Another' })).id).toBe(project.id);
    const path = `PUT /casting/projects/${project.id}`;
    const closed = await send<Project>(owner, path, { status: 'closed' }, { 'if-match': '"1"' });
    expect(closed.body.data).toMatchObject({ status: 'closed', title: 'The Salt Road', version: 2 });
    expect((await send<Project>(owner, path, { title: 'Salt' }, { 'if-match': '"1"' })).status).toBe(412);
    const opened = await send<Project>(owner, path, { status: 'open', company: null });
    expect(opened.body.data).toMatchObject({ status: 'open', company: null, version: 3 });
    expect(await read(owner, 'project')).toEqual([opened.body.data]);
  });

  test('is refused with the fields that are wrong', async () => {
    const owner = await testServer.join();
    const wrong = { title: ' ', type: 'opera', shoot_to: '2026-01-01', shoot_from: '2027-01-01', time_zone: '+05:30' };
    const sent = await send(owner, 'POST /casting/projects', { rule_pack: 'plain-courtesy', ...wrong });
    expect(sent.status).toBe(422);
    expect(Object.keys(sent.body.errors ?? {}).sort()).toEqual(['shoot_to', 'time_zone', 'title', 'type']);
    const { id } = await addProject(owner);
    const changed = await send(owner, `PUT /casting/projects/${id}`, { shoot_to: '2026-01-01', status: 'cast' });
    expect(Object.keys(changed.body.errors ?? {})).toEqual(['status']);
    const early = await send(owner, `PUT /casting/projects/${id}`, { shoot_to: '2026-01-01' });
    expect(Object.keys(early.body.errors ?? {})).toEqual(['shoot_to']);
  });

  test('is deleted with its roles while nobody was asked, and otherwise only closed', async () => {
    const { owner, project, role } = await createScene();
    const other = await addProject(owner);
    const empty = await addRole(owner, other);
    for (const path of [`projects/${project.id}`, `roles/${role.id}`]) {
      const refused = await send(owner, `DELETE /casting/${path}`);
      expect([refused.status, refused.body.message]).toEqual([422, 'People were asked for this. Close it instead']);
    }
    expect((await send(owner, `DELETE /casting/projects/${other.id}`)).status).toBe(200);
    expect((await read<Role>(owner, 'role')).map(({ id }) => id)).toEqual([role.id]);
    expect((await send(owner, `DELETE /casting/roles/${empty.id}`)).status).toBe(404);
    await send(owner, `PUT /casting/projects/${project.id}`, { status: 'closed' });
    expect(await readRequests(owner)).toHaveLength(1);
  });

  test(`is one of at most ${CASTING_LIMITS.openProjects} open ones`, async () => {
    const owner = await testServer.join();
    const first = await addProject(owner);
    const more = CASTING_LIMITS.openProjects - 1;
    const now = testServer.clock.now();
    const row = { userId: Number(owner.id), body: { title: 'Another' }, createdAt: now, updatedAt: now };
    await testServer.database.db.insert(castingProjects).values(Array.from({ length: more }, () => row));
    const refused = await send(owner, 'POST /casting/projects', PROJECT_FORM.example);
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'You can have up to 20 open projects. Close one to make room',
    ]);
    await send(owner, `PUT /casting/projects/${first.id}`, { status: 'closed' });
    await addProject(owner);
    expect((await send(owner, `PUT /casting/projects/${first.id}`, { status: 'open' })).status).toBe(422);
    // A change of an open one opens none.
    expect((await send(owner, `PUT /casting/projects/${first.id}`, { title: 'Later' })).status).toBe(200);
  });
});

describe('a role', () => {
  test('is created, changed and deleted by the owner of its project', async () => {
    const owner = await testServer.join();
    const project = await addProject(owner);
    const client_id = randomUUID();
    const role = await addRole(owner, project, { client_id });
    expect(role).toMatchObject({ project_id: project.id, status: 'open', age_min: '28', minors: null, version: 1 });
    expect((await addRole(owner, project, { client_id })).id).toBe(role.id);
    const path = `/casting/roles/${role.id}`;
    const changed = await send<Role>(owner, `PUT ${path}`, { pay: 'Scale', status: 'closed' }, { 'if-match': '"1"' });
    expect(changed.body.data).toMatchObject({ pay: 'Scale', status: 'closed', version: 2 });
    expect((await send(owner, `PUT ${path}`, { pay: null }, { 'if-match': '"1"' })).status).toBe(412);
    const wrong = await send(owner, `PUT ${path}`, { age_max: '20' });
    expect(Object.keys(wrong.body.errors ?? {})).toEqual(['age_max']);
    expect((await send(owner, `DELETE ${path}`, undefined, { 'if-match': '"1"' })).status).toBe(412);
    expect((await send(owner, `DELETE ${path}`)).status).toBe(200);
    expect(await read(owner, 'role')).toEqual([]);
  });

  test(`is one of at most ${CASTING_LIMITS.rolesPerProject} in its project`, async () => {
    const owner = await testServer.join();
    const project = await addProject(owner);
    const now = testServer.clock.now();
    const row = { userId: Number(owner.id), projectId: Number(project.id), body: { name: 'A guest' } };
    const rows = Array.from({ length: CASTING_LIMITS.rolesPerProject }, () => ({
      ...row,
      createdAt: now,
      updatedAt: now,
    }));
    await testServer.database.db.insert(castingRoles).values(rows);
    expect((await send(owner, 'POST /casting/roles', { name: 'One more', project_id: project.id })).status).toBe(422);
  });

  test('of somebody else does not exist', async () => {
    const { project, role, performer } = await createScene();
    const stranger = await testServer.join();
    const sent = await send(stranger, 'POST /casting/roles', { name: 'Mine', project_id: project.id });
    expect(sent.status).toBe(404);
    expect((await tryAsk(stranger, role, performer)).status).toBe(404);
    expect((await tryAsk(performer, role, performer)).status).toBe(422);
  });
});

describe('a request', () => {
  test('reaches the performer as an audition, with what the project, the role and the rules said', async () => {
    const { owner, performer, project, role, request } = await createScene();
    expect(request).toMatchObject({
      role_id: role.id,
      round: 'first',
      takes: 2,
      time_zone: 'Asia/Kolkata',
      notices: { nudity: 'None', stunts: 'None', minors: null, other: null },
      rules: { pack: 'plain-courtesy', breaches: [], waivers: [] },
      performer: { user_id: performer.id, profile_id: performer.profileId, name: performer.name },
      seen_at: null,
      answers: [],
      version: 1,
    });
    const [audition] = await readAuditions(performer);
    expect(audition).toMatchObject({
      id: request.id,
      profile_id: performer.profileId,
      casting: { user_id: owner.id, name: owner.name, verified: null },
      project: { id: project.id, title: 'The Salt Road' },
      role: { id: role.id, name: 'Naseem', status: 'open' },
      instructions: request.instructions,
    });
    expect(Object.keys(audition ?? {})).not.toContain('client_id');
    expect(await readNews(performer)).toEqual(['audition.requested']);
    const [news] = await read<{ data: object }>(performer, 'notification');
    expect(news?.data).toEqual({ audition_id: request.id, text: 'Naseem, The Salt Road' });
    expect(await readNews(owner)).toEqual([]);
    expect(await readRequests(performer)).toEqual([]);
  });

  test('is accepted once for each client id, also after the role is closed', async () => {
    const { owner, role } = await createScene();
    const performer = await addPerformer();
    const body = toAsk(role, performer);
    const sent = [1, 2].map(() => send<AuditionRequest>(owner, 'POST /casting/requests', body));
    const answers = await Promise.all(sent);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    await send(owner, `PUT /casting/roles/${role.id}`, { status: 'closed' });
    const again = await send<AuditionRequest>(owner, 'POST /casting/requests', body);
    expect([again.status, again.body.data.id]).toEqual([200, answers[0]!.body.data.id]);
    expect(await readAuditions(performer)).toHaveLength(1);
  });

  test('is refused for a role or a project that is not open', async () => {
    const { owner, project, role, performer } = await createScene();
    const other = await addPerformer();
    await send(owner, `PUT /casting/roles/${role.id}`, { status: 'closed' });
    const message = async () => (await tryAsk(owner, role, other)).body.message;
    expect(await message()).toBe('This role is closed. Open it again to ask people');
    await send(owner, `PUT /casting/roles/${role.id}`, { status: 'open' });
    await send(owner, `PUT /casting/projects/${project.id}`, { status: 'closed' });
    expect(await message()).toBe('This project is closed. Open it again to ask people');
    await send(owner, `PUT /casting/projects/${project.id}`, { status: 'open' });
    await cast(owner, role.id);
    expect((await tryAsk(owner, role, other)).status).toBe(409);
    expect(await message()).toBe('This role is cast. Open it again to ask people');
    expect(await readAuditions(performer)).toMatchObject([{ role: { status: 'cast' } }]);
    await send(owner, `PUT /casting/roles/${role.id}`, { status: 'open' });
    expect((await tryAsk(owner, role, other)).status).toBe(201);
  });

  test('is not made by an attempt that comes after its sender was told of the refusal', async () => {
    const { owner, project, role } = await createScene();
    const other = await addPerformer();
    const toSend = toAsk(role, other);
    const attempt = (key: string) =>
      send<AuditionRequest>(owner, 'POST /casting/requests', toSend, { 'idempotency-key': key });
    const [first, second] = [randomUUID(), randomUUID()];
    await send(owner, `PUT /casting/projects/${project.id}`, { status: 'closed' });
    const refused = await attempt(first);
    expect(refused.status).toBe(409);
    await send(owner, `PUT /casting/projects/${project.id}`, { status: 'open' });
    const late = await attempt(first);
    expect([late.status, late.body]).toEqual([409, refused.body]);
    expect(await readAuditions(other)).toEqual([]);
    expect((await attempt(second)).status).toBe(201);
  });

  test('goes to one person once for each role and round, unless it was withdrawn', async () => {
    const { owner, performer, role, request } = await createScene();
    const again = await tryAsk(owner, role, performer);
    expect(again.status).toBe(409);
    expect(again.body.data).toEqual(request);
    const callback = await ask(owner, role, performer, { round: 'callback', previous_id: request.id });
    expect(callback).toMatchObject({ round: 'callback', previous_id: request.id });
    await castingCall(owner, request.id, 'withdraw', { text: 'The part was rewritten.' });
    expect((await tryAsk(owner, role, performer)).status).toBe(201);
    const other = await addPerformer();
    const wrong = await tryAsk(owner, role, other, { previous_id: request.id });
    expect(Object.keys(wrong.body.errors ?? {})).toEqual(['previous_id']);
  });

  test('goes only to people whom the sender may reach', async () => {
    const { owner, role } = await createScene();
    const [hidden, blocked, blocking, minor] = [
      await addPerformer(),
      await addPerformer(),
      await addPerformer(),
      await addPerformer(),
    ];
    const { db } = testServer.database;
    const path = 'PUT /profile/update';
    await send(hidden, path, { profile_id: hidden.profileId, status: 'inactive' });
    await block(testServer, owner, blocked);
    await block(testServer, blocking, owner);
    await db
      .update(users)
      .set({ isMinor: true })
      .where(eq(users.id, Number(minor.id)));
    for (const person of [hidden, blocked, blocking, minor, { profileId: '999999' }, { profileId: 'x' }])
      expect((await tryAsk(owner, role, person)).status).toBe(404);
    expect((await tryAsk({ ...owner, token: minor.token }, role, hidden)).status).toBe(404);
    await db
      .update(users)
      .set({ mustConfirmEmail: true })
      .where(eq(users.id, Number(owner.id)));
    const refused = await tryAsk(owner, role, await addPerformer());
    expect([refused.status, refused.body]).toMatchObject([403, { reason: 'verify' }]);
    expect(await readRequests(owner)).toHaveLength(1);
  });

  test('needs a deadline that is to come, at most a year ahead', async () => {
    const { owner, role } = await createScene();
    const performer = await addPerformer();
    for (const deadline_at of [inDays(-1), inDays(0), inDays(366), 'soon']) {
      const sent = await tryAsk(owner, role, performer, { deadline_at });
      expect([sent.status, Object.keys(sent.body.errors ?? {})]).toEqual([422, ['deadline_at']]);
    }
    expect((await tryAsk(owner, role, performer, { deadline_at: inDays(364) })).status).toBe(201);
  });
});

describe('the rules', () => {
  test('refuse a request that breaks them, with the earliest deadline, until the sender gives a reason', async () => {
    const { owner, role } = await createScene();
    const performer = await addPerformer();
    // Saturday 14:30 in Kolkata. Two working days end on Tuesday at midnight.
    const deadline_at = '2026-11-24T12:00:00.000Z';
    const refused = await tryAsk(owner, role, performer, { deadline_at });
    expect(refused.status).toBe(422);
    expect(refused.body.breaches).toMatchObject([{ rule: 'notice', earliest: Date.parse('2026-11-24T18:30:00Z') }]);
    expect(refused.body.errors?.rules).toEqual([expect.stringContaining('48 hours are due')]);
    expect(await readAuditions(performer)).toEqual([]);
    const waivers = [
      { rule: 'notice', text: 'The director leaves on Wednesday.' },
      { rule: 'pages', text: 'This one is not needed at all.' },
    ];
    const request = await ask(owner, role, performer, { deadline_at, waivers });
    expect(request.rules).toMatchObject({ breaches: [{ rule: 'notice' }], waivers: [waivers[0]] });
    expect((await readAuditions(performer))[0]?.rules).toEqual(request.rules);
  });

  test('that are never waived refuse also with a reason', async () => {
    const { owner, role, project } = await createScene();
    const performer = await addPerformer();
    const instructions = 'There is a registration fee of 500 rupees to be paid.';
    const waivers = [{ rule: 'fee', text: 'It is refunded afterwards, really.' }];
    const refused = await tryAsk(owner, role, performer, { instructions, waivers });
    expect(refused.body.breaches?.map(({ rule }) => rule)).toEqual(['fee']);
    const silent = await addRole(owner, project, { intimacy: null });
    expect((await tryAsk(owner, silent, performer)).status).toBe(422);
  });

  test.each([
    ['the role is for minors', { minors: 'Chaperone, four hours a day' }, 72],
    ['the notice about minors says none', { minors: 'None' }, 48],
  ])('count hours where %s', async (_, fields, hours) => {
    const { owner, project } = await createScene();
    const role = await addRole(owner, project, fields);
    const [inTime, late] = [hours * HOUR_MS, hours * HOUR_MS - 60_000].map((ms) =>
      new Date(Date.parse('2026-11-22T18:30:00Z') + ms).toISOString(),
    );
    expect((await tryAsk(owner, role, await addPerformer(), { deadline_at: late })).status).toBe(422);
    expect((await tryAsk(owner, role, await addPerformer(), { deadline_at: inTime })).status).toBe(201);
  });

  test('count 72 hours for a performer who is a minor', async () => {
    const { owner, role } = await createScene();
    const performer = await addPerformer();
    const own = await addPerformer('A friend');
    await connect(testServer, owner, performer);
    await testServer.database.db
      .update(users)
      .set({ isMinor: true })
      .where(eq(users.id, Number(performer.id)));
    const sent = await tryAsk(owner, role, performer, { deadline_at: '2026-11-25T18:00:00Z' });
    const earliest = Date.parse('2026-11-25T18:30:00Z');
    expect(sent.body.breaches).toMatchObject([{ rule: 'notice', earliest, for_minors: true }]);
    expect((await tryAsk(owner, role, own, { deadline_at: '2026-11-25T18:00:00Z' })).status).toBe(201);
    expect((await tryAsk(owner, role, performer)).status).toBe(201);
  });

  test('count the pages of sides', () => {
    expect(['', ' \n ', 'A word', 'x'.repeat(3000), 'x'.repeat(3001)].map(countPages)).toEqual([0, 0, 1, 1, 2]);
    expect(['a\n'.repeat(55), `${'a\n'.repeat(55)}b`, 'a\r\n'.repeat(56)].map(countPages)).toEqual([1, 2, 2]);
  });
});

describe('a change of a request', () => {
  test('moves the deadline to a later time only, and tells the performer', async () => {
    const { owner, performer, request } = await createScene();
    const later = await change(owner, request.id, { deadline_at: inDays(11) }, { 'if-match': '"1"' });
    expect(later.body.data).toMatchObject({ deadline_at: inDays(11), instructions: request.instructions, version: 2 });
    expect(await readAuditions(performer)).toMatchObject([{ deadline_at: inDays(11), version: 2 }]);
    expect(await readNews(performer)).toEqual(['audition.changed', 'audition.requested']);
    for (const deadline_at of [inDays(10), inDays(400)]) {
      const refused = await change(owner, request.id, { deadline_at });
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['deadline_at']]);
    }
    expect((await change(owner, request.id, { deadline_at: inDays(12) }, { 'if-match': '"1"' })).status).toBe(412);
    // Nothing changes.
    expect((await change(owner, request.id, { deadline_at: inDays(11) })).body.data.version).toBe(2);
  });

  test('of the texts keeps the rules, under the reasons that were given', async () => {
    const { owner, role } = await createScene();
    const pages = (count: number) => 'A line\n'.repeat(count * 55);
    const [plain, waived] = [await addPerformer(), await addPerformer()];
    const first = await ask(owner, role, plain);
    const refused = await change(owner, first.id, { sides_text: pages(9) });
    expect(refused.body.breaches).toMatchObject([{ rule: 'pages' }]);
    expect((await change(owner, first.id, { sides_text: pages(8) })).status).toBe(200);
    const waivers = [{ rule: 'pages', text: 'The scene does not end earlier.' }];
    const second = await ask(owner, role, waived, { sides_text: pages(9), waivers });
    const changed = await change(owner, second.id, { sides_text: null, instructions: null });
    expect(changed.body.data).toMatchObject({ sides_text: null, instructions: null, rules: { breaches: [] } });
    expect((await change(owner, second.id, { instructions: 'Pay a casting fee of 900 rupees.' })).status).toBe(422);
  });

  test('is refused after a final answer or a withdrawal', async () => {
    const [one, two] = [await createScene(), await createScene()];
    await castingCall(one.owner, one.request.id, 'answer', { kind: 'callback' });
    expect((await change(one.owner, one.request.id, { instructions: 'Slower.' })).status).toBe(200);
    await castingCall(one.owner, one.request.id, 'answer', { kind: 'no_thank_you' });
    await castingCall(two.owner, two.request.id, 'withdraw');
    for (const { owner, request } of [one, two]) {
      const refused = await change(owner, request.id, { deadline_at: inDays(20) });
      expect([refused.status, refused.body.data.id]).toEqual([409, request.id]);
    }
  });
});

describe('limits', () => {
  test('let a person ask ten people a day until they are a verified office', async () => {
    const limited = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const own = castingCalls(limited);
      const owner = await limited.join();
      const project = await own.addProject(owner);
      const role = await own.addRole(owner, project);
      const performers: Awaited<ReturnType<typeof own.addPerformer>>[] = [];
      for (let n = 0; n < 12; n += 1) performers.push(await own.addPerformer());
      const statuses: number[] = [];
      for (const performer of performers.slice(0, 11)) statuses.push((await own.tryAsk(owner, role, performer)).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
      const office = { name: 'Tideline Casting', skeleton: 'tideline', userId: Number(owner.id) };
      await limited.database.db.insert(offices).values({ ...office, verifiedAt: limited.clock.now() });
      expect((await own.tryAsk(owner, role, performers[11]!)).status).toBe(201);
    } finally {
      await limited.close();
    }
  });
});

describe('changes', () => {
  /** What a person has to pull since their cursor. */
  const watch = async (person: Person) => {
    const { cursor } = await pull(person);
    return async () => (await pull(person, cursor)).records.map(({ type, body }) => `${body ? '' : '-'}${type}`).sort();
  };

  test('reach exactly those whose records have changed', async () => {
    const { owner, performer, project, role, request } = await createScene();
    const stranger = await testServer.join();
    const since = async (work: () => Promise<unknown>) => {
      const reads = await Promise.all([owner, performer, stranger].map(watch));
      await work();
      return Promise.all(reads.map((readSince) => readSince()));
    };
    const put = (path: string, body: object) => () => send(owner, `PUT /casting/${path}`, body);
    expect(await since(put(`projects/${project.id}`, { title: 'Salt' }))).toEqual([['project'], ['audition'], []]);
    // Performers read no rules of a project. Changed notices are asked about in their request.
    expect(await since(put(`projects/${project.id}`, { region: null }))).toEqual([['project'], [], []]);
    expect(await since(put(`roles/${role.id}`, { stunts: 'A fall' }))).toEqual([
      ['request', 'role'],
      ['audition', 'notification'],
      [],
    ]);
    expect(await since(put(`roles/${role.id}`, { pay: 'Scale' }))).toEqual([['role'], ['audition'], []]);
    expect(await since(() => say(performer, request.id, 'seen'))).toEqual([
      ['request'],
      ['audition', 'notification', 'notification'],
      [],
    ]);
  });

  test('of one’s name reach those who read it in a request', async () => {
    const { owner, performer } = await createScene();
    const readSince = await watch(owner);
    await send(performer, 'PUT /profile/update', { profile_id: performer.profileId, title: 'Singer' });
    expect(await readSince()).toEqual(['request']);
    expect(await readRequests(owner)).toMatchObject([{ performer: { title: 'Singer' } }]);
  });
});
