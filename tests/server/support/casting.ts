import { randomUUID } from 'node:crypto';
import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import type { Audition, AuditionRequest, Project, Role } from '#contract/records/casting.ts';
import type { Candidate } from '#contract/records/shortlist.ts';
import { addProfile } from './people.ts';
import type { Person, TestServer } from './test-server.ts';

const DAY_MS = 86_400_000;

/** A person with an active profile. */
export type Performer = Person & { profileId: string };

interface Sent<T> {
  status: number;
  text: string;
  body: {
    message: string;
    data: T;
    errors?: Record<string, string[]>;
    breaches?: { rule: string; earliest?: number }[];
  };
}

/** People who cast and performers who are asked. */
export function castingCalls(testServer: TestServer) {
  const send = async <T>(person: Person, request: string, body?: object, headers: Record<string, string> = {}) =>
    (await testServer.call<Sent<T>['body']>(request, { token: person.token, body, headers })) as Sent<T>;
  async function must<T>(...args: Parameters<typeof send>): Promise<T> {
    const sent = await send<T>(...args);
    if (sent.status >= 300) throw new Error(`${args[1]} answered ${sent.status}: ${sent.text}`);
    return sent.body.data;
  }

  const inDays = (days: number) => new Date(testServer.clock.now().getTime() + days * DAY_MS).toISOString();
  const addProject = (owner: Person, fields: object = {}) =>
    must<Project>(owner, 'POST /casting/projects', { ...PROJECT_FORM.example, ...fields });
  const addRole = (owner: Person, project: Pick<Project, 'id'>, fields: object = {}) =>
    must<Role>(owner, 'POST /casting/roles', { ...ROLE_FORM.example, project_id: project.id, ...fields });

  async function addPerformer(name = 'Asha Rane'): Promise<Performer> {
    const person = await testServer.join(name);
    return { ...person, profileId: (await addProfile(testServer, person)).id };
  }

  const toAsk = (role: Pick<Role, 'id'>, performer: Pick<Performer, 'profileId'>, fields: object = {}) => ({
    role_id: role.id,
    profile_id: performer.profileId,
    client_id: randomUUID(),
    instructions: 'Read the pages twice, the second time quieter.',
    deadline_at: inDays(10),
    ...fields,
  });
  const tryAsk = (
    owner: Person,
    role: Pick<Role, 'id'>,
    performer: Pick<Performer, 'profileId'>,
    fields: object = {},
  ) => send<AuditionRequest>(owner, 'POST /casting/requests', toAsk(role, performer, fields));
  const ask = (owner: Person, role: Pick<Role, 'id'>, performer: Pick<Performer, 'profileId'>, fields: object = {}) =>
    must<AuditionRequest>(owner, 'POST /casting/requests', toAsk(role, performer, fields));

  const toList = (role: Pick<Role, 'id'>, performer: Pick<Performer, 'profileId'>, fields: object = {}) => ({
    role_id: role.id,
    profile_id: performer.profileId,
    client_id: randomUUID(),
    column: 'ideas',
    position: 'V',
    ...fields,
  });
  const tryAddCandidate = (
    owner: Person,
    role: Pick<Role, 'id'>,
    performer: Pick<Performer, 'profileId'>,
    fields: object = {},
  ) => send<Candidate>(owner, 'POST /casting/candidates', toList(role, performer, fields));
  const addCandidate = (
    owner: Person,
    role: Pick<Role, 'id'>,
    performer: Pick<Performer, 'profileId'>,
    fields: object = {},
  ) => must<Candidate>(owner, 'POST /casting/candidates', toList(role, performer, fields));

  /** An owner with a project and a role, and a performer who was asked. */
  async function createScene() {
    const [owner, performer] = [await testServer.join('Tideline Casting'), await addPerformer()];
    const project = await addProject(owner);
    const role = await addRole(owner, project);
    return { owner, performer, project, role, request: await ask(owner, role, performer) };
  }

  const castingCall = (owner: Person, id: string, act: 'answer' | 'withdraw', body: object = {}) =>
    send<AuditionRequest>(owner, `POST /casting/requests/${id}/${act}`, body);
  const say = (performer: Person, id: string, act: 'seen' | 'confirm' | 'decline', body: object = {}) =>
    send<Audition>(performer, `POST /auditions/${id}/${act}`, body);
  const change = (owner: Person, id: string, body: object, headers?: Record<string, string>) =>
    send<AuditionRequest>(owner, `PUT /casting/requests/${id}`, body, headers);
  const cast = async (owner: Person, roleId: string, body: object = {}) =>
    testServer.call<{ message: string; data: Role; requests: AuditionRequest[]; errors?: object }>(
      `POST /casting/roles/${roleId}/cast`,
      { token: owner.token, body },
    );

  /** The records of one type that a person would pull. */
  async function read<T>(person: Person, type: string): Promise<T[]> {
    const { body } = await testServer.call<{ records: { type: string; body: T | null }[] }>('GET /sync', {
      token: person.token,
    });
    return body.records.flatMap((record) => (record.type === type && record.body !== null ? [record.body] : []));
  }
  const readRequests = (owner: Person) => read<AuditionRequest>(owner, 'request');
  const readAuditions = (performer: Person) => read<Audition>(performer, 'audition');
  const readNews = async (person: Person) =>
    (await read<{ type: string; data: object }>(person, 'notification')).map(({ type }) => type).sort();

  return {
    addCandidate,
    addPerformer,
    addProject,
    addRole,
    ask,
    cast,
    castingCall,
    change,
    createScene,
    inDays,
    must,
    read,
    readAuditions,
    readNews,
    readRequests,
    say,
    send,
    toAsk,
    tryAddCandidate,
    tryAsk,
  };
}
