import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditionRequest, Project } from '#contract/records/casting.ts';
import { MEMBERS_PER_PROJECT, type Member } from '#contract/records/members.ts';
import type { Mark, Tape } from '#contract/records/tapes.ts';
import { castingCalls } from './support/casting.ts';
import { colleagueCalls } from './support/colleagues.ts';
import { linkCalls } from './support/links.ts';
import { block } from './support/people.ts';
import { tapeCalls } from './support/tapes.ts';
import { unzip } from './support/unzip.ts';
import { openTestServer, type Person, type TestServer } from './support/test-server.ts';

let testServer: TestServer;
let casting: ReturnType<typeof castingCalls>;
let tapes: ReturnType<typeof tapeCalls>;
let colleagues: ReturnType<typeof colleagueCalls>;
let links: ReturnType<typeof linkCalls>;
beforeAll(async () => {
  testServer = await openTestServer();
  casting = castingCalls(testServer);
  tapes = tapeCalls(testServer);
  colleagues = colleagueCalls(testServer);
  links = linkCalls(testServer);
});
afterAll(() => testServer.close());

/** An owner with a project, and a performer whose tape has arrived and was marked by the owner. */
async function addTaped() {
  const scene = await tapes.addAudition();
  const tape = await tapes.sendTape(scene.performer, scene.requestId);
  const [mark] = (await tapes.mark(scene.owner, tape.id, { grade: 'B', text: 'Warm' })).body.marks;
  return { ...scene, projectId: scene.role.project_id, tape, mark: mark! };
}

interface Feed {
  records: { type: string; id: string; body: object | null }[];
  cursor: string;
}

const pull = async ({ token }: Person, cursor?: string): Promise<Feed> =>
  (await testServer.call<Feed>(`GET /sync${cursor === undefined ? '' : `?cursor=${cursor}`}`, { token })).body;

/** What a person pulls after a cursor, without what their connections cause: 'tape 7', or 'tape 7 gone'. */
async function listChanges(person: Person, cursor: string): Promise<string[]> {
  const { records } = await pull(person, cursor);
  return records
    .filter(({ type }) => type !== 'connection' && type !== 'conversation' && type !== 'notification')
    .map(({ type, id, body }) => `${type} ${id}${body === null ? ' gone' : ''}`)
    .sort();
}

describe('who may do what in a project', () => {
  it('is decided by the right of each person, for every call of casting', { timeout: 120_000 }, async () => {
    const { owner, performer, projectId, role, requestId, tape } = await addTaped();
    const read = await colleagues.addColleague(owner, projectId, 'read', 'Ravi Watches');
    const rate = await colleagues.addColleague(owner, projectId, 'rate', 'Noor Rates');
    const invited = await colleagues.addInvited(owner, projectId, 'rate', 'Uma Invited');
    const removed = await colleagues.addColleague(owner, projectId, 'rate', 'Leo Removed');
    expect((await colleagues.remove(owner, removed.memberId)).status).toBe(200);
    const blocked = await colleagues.addColleague(owner, projectId, 'rate', 'Bo Blocked');
    await block(testServer, owner, blocked);
    const [stranger, friend] = [await testServer.join('Sam'), await colleagues.addConnection(owner, 'Fay')];
    const other = await casting.addPerformer('Ila Other');
    const people = { owner, read, rate, invited, removed, performer, stranger, blocked };
    const member = `/casting/members/${rate.memberId}`;
    const ask = { role_id: role.id, profile_id: other.profileId, deadline_at: casting.inDays(20) };
    const candidate = await casting.addCandidate(owner, role, other);
    const card = { role_id: role.id, profile_id: friend.profileId, column: 'ideas', position: 'V' };
    const columns = { columns: [{ id: 'ideas', name: 'Long list' }] };
    const link = await links.makeLink(owner, role.id);
    const invitation = { project_id: projectId, user_id: friend.id, role: 'read' };
    const outside = { invited: 404, removed: 404, performer: 404, stranger: 404, blocked: 404 };
    const ownersOnly = { read: 403, rate: 403, ...outside };
    const table: [request: string, body: object | undefined, expected: Partial<Record<keyof typeof people, number>>][] =
      [
        [`DELETE /casting/projects/${projectId}`, undefined, { ...ownersOnly, owner: 422 }],
        [`DELETE /casting/roles/${role.id}`, undefined, { ...ownersOnly, owner: 422 }],
        [`PUT /casting/projects/${projectId}`, { company: 'Tideline' }, { ...ownersOnly, owner: 200 }],
        ['POST /casting/roles', { project_id: projectId, name: 'Tara' }, { ...ownersOnly, owner: 201 }],
        [`PUT /casting/roles/${role.id}`, { pay: 'Scale' }, { ...ownersOnly, owner: 200 }],
        ['POST /casting/requests', ask, { ...ownersOnly, owner: 201 }],
        [`PUT /casting/requests/${requestId}`, { instructions: 'Slower' }, { ...ownersOnly, owner: 200 }],
        [`POST /casting/tapes/${tape.id}/viewed`, { seconds: 1 }, { read: 200, rate: 200, ...outside, owner: 200 }],
        [`PUT /casting/tapes/${tape.id}/mark`, { grade: 'A' }, { read: 403, rate: 200, ...outside, owner: 200 }],
        [
          `GET /auditions/tapes/${tape.id}/links`,
          undefined,
          { read: 200, rate: 200, ...outside, performer: 200, owner: 200 },
        ],
        [`GET ${tape.takes[0]!.path}`, undefined, { read: 200, rate: 200, ...outside, performer: 200, owner: 200 }],
        ['POST /casting/candidates', card, { read: 403, rate: 201, ...outside, owner: 200 }],
        [
          `PUT /casting/candidates/${candidate.id}`,
          { column: 'pencil', position: 'k' },
          { read: 403, rate: 200, ...outside, owner: 200 },
        ],
        [`DELETE /casting/candidates/${candidate.id}`, undefined, { read: 403, rate: 200, ...outside, owner: 404 }],
        [`PUT /casting/roles/${role.id}/columns`, columns, { read: 403, rate: 200, ...outside, owner: 200 }],
        ['POST /casting/links', links.toLink(role.id).body, { ...ownersOnly, owner: 201 }],
        [`PUT /casting/links/${link.id}`, { name: 'Anand' }, { ...ownersOnly, read: 404, rate: 404, owner: 200 }],
        [`DELETE /casting/links/${link.id}`, undefined, { ...ownersOnly, read: 404, rate: 404, owner: 200 }],
        ['POST /casting/members', invitation, { ...ownersOnly, owner: 201 }],
        [`PUT ${member}`, { role: 'rate' }, { ...ownersOnly, owner: 200 }],
        [`POST ${member}/accept`, {}, { read: 403, rate: 200, ...outside, owner: 403 }],
        [`POST ${member}/decline`, {}, { read: 403, rate: 409, ...outside, owner: 403 }],
        [`POST /casting/requests/${requestId}/answer`, { kind: 'callback' }, { ...ownersOnly, owner: 200 }],
        [`POST /casting/requests/${requestId}/withdraw`, {}, { ...ownersOnly, owner: 200 }],
        [`POST /casting/roles/${role.id}/cast`, {}, { ...ownersOnly, owner: 200 }],
        [`DELETE ${member}`, undefined, { ...ownersOnly, owner: 200 }],
      ];
    const names = ['read', 'rate', 'invited', 'removed', 'performer', 'stranger', 'blocked', 'owner'] as const;
    for (const [request, body, expected] of table) {
      const got: Partial<Record<keyof typeof people, number>> = {};
      for (const name of names) {
        // The one who may rate is removed by the last call.
        const { token } = people[name];
        got[name] = (await testServer.call(request, { token, body })).status;
      }
      expect({ request, ...got }).toEqual({ request, ...expected });
    }
    const known = new Set(
      table.map(([request]) => request.split(' ')[0]! + request.split(/[ ?]/)[1]!.replace(/\d+/g, ':id')),
    );
    const routes = testServer.app.describedRoutes
      .filter(({ method, path }) => method !== 'HEAD' && path.startsWith('/casting/'))
      .map(({ method, path }) => method + path);
    // Two calls have tests of their own below: everybody may add a project, and leaving ends the place of the caller.
    expect(routes.filter((route) => !known.has(route)).sort()).toEqual([
      'POST/casting/members/:id/leave',
      'POST/casting/projects',
    ]);
  });

  it('is told to colleagues in the project, and changes with their right', async () => {
    const { owner, projectId, tape } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId, 'read');
    const getRight = async (person: Person) => (await tapes.getRecords<Project>(person, 'project'))[0]?.my_role;
    expect([await getRight(owner), await getRight(colleague)]).toEqual(['own', 'read']);
    const path = `PUT /casting/members/${colleague.memberId}`;
    expect((await colleagues.send(owner, path, { role: 'rate' })).body.data).toMatchObject({
      role: 'rate',
      version: 3,
    });
    expect(await getRight(colleague)).toBe('rate');
    expect((await tapes.mark(colleague, tape.id, { grade: 'C' })).status).toBe(200);
    const wrong = await colleagues.send(owner, path, { role: 'own' });
    expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([422, ['role']]);
  });
});

describe('an invitation', () => {
  it('shows the title and the owner alone until it is accepted, and then the whole project', async () => {
    const { owner, performer, projectId, role, requestId, tape, mark } = await addTaped();
    const invited = await colleagues.addInvited(owner, projectId);
    const before = await pull(invited);
    const types = (feed: Feed) => feed.records.filter(({ body }) => body !== null).map(({ type }) => type);
    for (const type of ['project', 'role', 'request', 'tape', 'mark']) expect(types(before)).not.toContain(type);
    const [invitation] = await tapes.getRecords<Member>(invited, 'project_member');
    expect(invitation).toMatchObject({
      state: 'invited',
      project: { title: 'The Salt Road' },
      owner: { name: owner.name },
    });
    expect(JSON.stringify(before)).not.toContain(performer.name);
    expect(await casting.readNews(invited)).toContain('project.invited');
    expect((await colleagues.answer(invited, invited.memberId, 'accept')).body.data.state).toBe('active');
    expect(await listChanges(invited, before.cursor)).toEqual(
      [
        `mark ${mark.id}`,
        `project ${projectId}`,
        `project_member ${invited.memberId}`,
        `request ${requestId}`,
        `role ${role.id}`,
        `tape ${tape.id}`,
      ].sort(),
    );
    expect(await casting.readNews(invited)).not.toContain('project.invited');
    // Said twice, it changes nothing.
    const { cursor } = await pull(invited);
    expect((await colleagues.answer(invited, invited.memberId, 'accept')).status).toBe(200);
    expect(await listChanges(invited, cursor)).toEqual([]);
  });

  it('is sent to connections alone, once, and to nobody who tapes for the project', async () => {
    const { owner, performer, projectId, role } = await addTaped();
    const refused = async (person: Person) => {
      const { status, body } = await colleagues.invite(owner, projectId, person);
      return [status, Object.keys(body.errors ?? {})];
    };
    for (const person of [owner, performer, await testServer.join('Sam')]) {
      expect(await refused(person)).toEqual([422, ['user_id']]);
    }
    const colleague = await colleagues.addInvited(owner, projectId, 'read');
    const again = await colleagues.invite(owner, projectId, colleague);
    expect([again.status, again.body.data.id, again.body.data.role]).toEqual([200, colleague.memberId, 'read']);
    const profileId = (await tapes.getRecords<{ id: string }>(colleague, 'profile'))[0]!.id;
    const asked = await casting.tryAsk(owner, role, { profileId });
    expect([asked.status, Object.keys(asked.body.errors ?? {})]).toEqual([422, ['profile_id']]);
  });

  it('that is declined is told to the owner, and can be sent again as a new one', async () => {
    const { owner, projectId } = await addTaped();
    const invited = await colleagues.addInvited(owner, projectId);
    expect((await colleagues.answer(invited, invited.memberId, 'decline')).status).toBe(200);
    expect(await tapes.getRecords(invited, 'project_member')).toEqual([]);
    expect(await tapes.getRecords<Member>(owner, 'project_member')).toMatchObject([{ state: 'declined' }]);
    expect((await colleagues.answer(invited, invited.memberId, 'accept')).status).toBe(409);
    const again = await colleagues.invite(owner, projectId, invited);
    expect(again.status).toBe(201);
    expect(again.body.data.id).not.toBe(invited.memberId);
    expect(await tapes.getRecords<Member>(owner, 'project_member')).toMatchObject([{ state: 'invited' }]);
  });

  it('is refused when a project has too many colleagues', async () => {
    const { owner, projectId } = await addTaped();
    const invited = await colleagues.addInvited(owner, projectId);
    await testServer.database.pool.query(
      `insert into casting_members (project_id, user_id, role, state, created_at, updated_at)
       select $1, id, 'read', 'left', now(), now() from users where id <> $2 order by id limit $3`,
      [projectId, invited.id, MEMBERS_PER_PROJECT - 1],
    );
    const extra = await colleagues.addConnection(owner, 'One Too Many');
    expect((await colleagues.invite(owner, projectId, extra)).status).toBe(422);
  });
});

describe('marks', () => {
  it('are read by everybody in the project, each by its author', async () => {
    const { owner, projectId, tape } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId);
    const watcher = await colleagues.addColleague(owner, projectId, 'read', 'Ravi');
    await tapes.mark(colleague, tape.id, { grade: 'A', text: 'Yes!' });
    const expected = [
      { author_id: owner.id, grade: 'B', text: 'Warm' },
      { author_id: colleague.id, grade: 'A', text: 'Yes!' },
    ];
    for (const person of [owner, colleague, watcher]) {
      expect(await tapes.getRecords<Mark>(person, 'mark')).toMatchObject(expected);
    }
  });

  it('are in the archive of their author alone, with the projects that the person is in', async () => {
    const { owner, projectId, tape } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId);
    await tapes.mark(colleague, tape.id, { grade: 'A' });
    for (const [person, grade] of [[owner, 'B'] as const, [colleague, 'A'] as const]) {
      const headers = { authorization: `Bearer ${person.token}`, 'x-requested-with': 'XMLHttpRequest' };
      const { rawPayload } = await testServer.app.inject({ url: '/account/export', headers });
      const archived: unknown = JSON.parse(String(unzip(rawPayload).get('casting.json')));
      expect(archived).toMatchObject({
        projects: person === owner ? [{ id: projectId }] : [],
        members: [{ id: colleague.memberId, state: 'active' }],
        marks: [{ author_id: person.id, grade }],
      });
    }
  });

  it('of a colleague who left stay without their name, and get it back when they come back', async () => {
    const { owner, projectId, tape } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId);
    await tapes.mark(colleague, tape.id, { grade: 'A' });
    const authors = async () => (await tapes.getRecords<Mark>(owner, 'mark')).map(({ author_id: id }) => id);
    expect((await colleagues.answer(colleague, colleague.memberId, 'leave')).status).toBe(200);
    expect(await authors()).toEqual([owner.id, null]);
    expect(await tapes.getRecords(colleague, 'mark')).toEqual([]);
    const again = await colleagues.invite(owner, projectId, colleague);
    await colleagues.answer(colleague, again.body.data.id, 'accept');
    expect(await authors()).toEqual([owner.id, colleague.id]);
  });

  it('stay when the account of their author is deleted', async () => {
    const { owner, projectId, tape } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId);
    await tapes.mark(colleague, tape.id, { grade: 'A' });
    const { cursor } = await pull(owner);
    const gone = await testServer.call('DELETE /account', {
      token: colleague.token,
      body: { password: colleague.password },
    });
    expect(gone.status).toBe(200);
    expect(await tapes.getRecords<Mark>(owner, 'mark')).toMatchObject([
      { grade: 'B' },
      { grade: 'A', author_id: null },
    ]);
    const changes = await listChanges(owner, cursor);
    expect(changes).toContain(`project_member ${colleague.memberId} gone`);
    expect(changes.some((change) => change.startsWith('mark'))).toBe(true);
  });
});

describe('a colleague who is removed', () => {
  it('loses every record, file and link at once, and hears of it', async () => {
    const { owner, projectId, role, requestId, tape, mark } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId);
    const links = await testServer.call<{ takes: { url: string }[] }>(`GET /auditions/tapes/${tape.id}/links`, {
      token: colleague.token,
    });
    const url = `GET ${links.body.takes[0]!.url}`;
    expect((await testServer.call(url, { token: null })).status).toBe(200);
    const { cursor } = await pull(colleague);
    expect((await colleagues.remove(owner, colleague.memberId)).status).toBe(200);
    expect(await listChanges(colleague, cursor)).toEqual(
      [
        `mark ${mark.id} gone`,
        `project ${projectId} gone`,
        `project_member ${colleague.memberId} gone`,
        `request ${requestId} gone`,
        `role ${role.id} gone`,
        `tape ${tape.id} gone`,
      ].sort(),
    );
    expect((await testServer.call(url, { token: null })).status).toBe(404);
    expect((await testServer.call(url, { token: colleague.token })).status).toBe(404);
    expect(await casting.readNews(colleague)).toEqual(expect.arrayContaining(['project.removed']));
    expect(await casting.readNews(colleague)).not.toContain('casting.tape_arrived');
    expect(await tapes.getRecords(owner, 'project_member')).toEqual([]);
  });

  it('no longer learns who taped once the performer has blocked the owner', async () => {
    const { owner, performer, role } = await tapes.addAudition();
    const colleague = await colleagues.addColleague(owner, role.project_id);
    const [audition] = await casting.readAuditions(performer);
    await tapes.sendTape(performer, audition!.id);
    expect(await casting.readNews(colleague)).toContain('casting.tape_arrived');
    await block(testServer, performer, owner);
    expect(await casting.readNews(colleague)).not.toContain('casting.tape_arrived');
  });

  it('reads nothing that happens afterwards', async () => {
    const { owner, performer, projectId, requestId, tape } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId);
    await colleagues.remove(owner, colleague.memberId);
    const { cursor } = await pull(colleague);
    await tapes.sendTape(performer, requestId);
    await tapes.mark(owner, tape.id, { grade: 'A' });
    await casting.send(owner, `PUT /casting/projects/${projectId}`, { title: 'The Sand Road' });
    expect((await pull(colleague, cursor)).cursor).toBe(cursor);
  });

  it('loses the project with a block by either, for good', async () => {
    for (const isByOwner of [true, false]) {
      const { owner, projectId, mark } = await addTaped();
      const colleague = await colleagues.addColleague(owner, projectId);
      const [blocker, other] = isByOwner ? [owner, colleague] : [colleague, owner];
      await block(testServer, blocker, other);
      for (const type of ['project', 'tape', 'mark', 'project_member']) {
        expect(await tapes.getRecords(colleague, type)).toEqual([]);
      }
      expect(await tapes.getRecords(owner, 'project_member')).toEqual([]);
      expect(await tapes.getRecords<Mark>(owner, 'mark')).toMatchObject([{ id: mark.id }]);
      await testServer.call(`DELETE /blocks/${other.id}`, { token: blocker.token });
      expect(await tapes.getRecords(colleague, 'project')).toEqual([]);
    }
  });

  it('loses the project with the account of its owner', async () => {
    const { owner, projectId } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId);
    const { cursor } = await pull(colleague);
    await testServer.call('DELETE /account', { token: owner.token, body: { password: owner.password } });
    const changes = await listChanges(colleague, cursor);
    expect(changes.length).toBeGreaterThanOrEqual(6);
    expect(changes.filter((change) => !change.endsWith(' gone'))).toEqual([]);
  });
});

describe('performers and colleagues', () => {
  it('who blocked each other do not meet: the colleague loses the requests, and gets them back with the block', async () => {
    const { owner, performer, projectId, tape } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId);
    await block(testServer, performer, colleague);
    for (const type of ['request', 'tape', 'mark']) expect(await tapes.getRecords(colleague, type)).toEqual([]);
    expect((await tapes.view(colleague, tape.id, 5)).status).toBe(404);
    expect((await tapes.fetchFile(tape.takes[0]!.path!, colleague)).status).toBe(404);
    const { cursor } = await pull(colleague);
    await tapes.mark(owner, tape.id, { grade: 'C' });
    expect((await pull(colleague, cursor)).cursor).toBe(cursor);
    // The owner, whom nobody blocked, still has everything.
    expect(await tapes.getRecords<Tape>(owner, 'tape')).toMatchObject([{ id: tape.id }]);
    await testServer.call(`DELETE /blocks/${colleague.id}`, { token: performer.token });
    expect(await tapes.getRecords<Tape>(colleague, 'tape')).toMatchObject([{ id: tape.id }]);
    expect(await tapes.getRecords<Mark>(colleague, 'mark')).toMatchObject([{ grade: 'C' }]);
  });

  it('watch and are watched: the first of all counts, once', async () => {
    const { owner, performer, projectId, tape } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId, 'read');
    await tapes.view(colleague, tape.id, 5);
    const first = (await tapes.getAudition(performer)).watched_at;
    expect(first).not.toBeNull();
    const { cursor } = await pull(performer);
    testServer.clock.advance(60_000);
    await tapes.view(owner, tape.id, 500);
    expect((await pull(performer, cursor)).cursor).toBe(cursor);
    expect((await tapes.getAudition(performer)).casting.name).toBe(owner.name);
  });

  it('share a request only as far as each may read it while it changes', async () => {
    const { owner, performer, projectId, requestId } = await addTaped();
    const colleague = await colleagues.addColleague(owner, projectId);
    const { cursor } = await pull(colleague);
    await casting.castingCall(owner, requestId, 'answer', { kind: 'callback', text: 'Come and read' });
    expect(await listChanges(colleague, cursor)).toEqual([`request ${requestId}`]);
    expect(await tapes.getRecords<AuditionRequest>(colleague, 'request')).toMatchObject([
      { performer: { user_id: performer.id }, answers: [{ kind: 'callback' }] },
    ]);
  });
});

it('whoever accepts while a tape is announced gets that tape', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 4; round += 1) {
    const { owner, performer, role, requestId } = await tapes.addAudition();
    const invited = await colleagues.addInvited(owner, role.project_id);
    const [announced] = await Promise.all([
      tapes.announce(performer, requestId),
      colleagues.answer(invited, invited.memberId, 'accept'),
    ]);
    expect(await tapes.getRecords<Tape>(invited, 'tape')).toMatchObject([{ id: announced.body.data.id }]);
  }
});
