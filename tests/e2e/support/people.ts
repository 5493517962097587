import { randomUUID } from 'node:crypto';

/** Somebody with an account on the server, made by call so that a test starts where its story starts. */
export interface Person {
  id: string | number;
  name: string;
  email: string;
  password: string;
  token: string;
  /** Calls the server as this person, past any browser: for setting a scene and for looking at what the server has. */
  call<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }>;
}

/** A stage name, an address and a password nobody else has. For sign-up forms. */
export function buildAccount() {
  const mark = randomUUID().slice(0, 8);
  return { name: `Asha Rao ${mark}`, email: `asha.${mark}@example.com`, password: `curtain call ${mark}` };
}

/** Calls a server as somebody; as nobody without a token. */
export async function call<T>(url: string, token: string | null, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      Accept: 'application/json',
      'X-Requested-With': 'XMLHttpRequest',
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as T };
}

type Details = Pick<Person, 'name' | 'email' | 'password'>;

async function authenticate(url: string, path: '/register' | '/login', details: Details): Promise<Person> {
  type Entered = { token: string; user: { id: string | number } };
  const { status, body } = await call<Entered>(url, null, 'POST', path, details);
  if (status !== (path === '/register' ? 201 : 200)) {
    throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`);
  }
  return {
    ...details,
    id: body.user.id,
    token: body.token,
    call: (method, path, content) => call(url, body.token, method, path, content),
  };
}

/** Registers somebody new at `url`. */
export const makePerson = (url: string, details: Partial<Details> = {}): Promise<Person> =>
  authenticate(url, '/register', { ...buildAccount(), ...details });

/** Signs somebody in who made their account on a screen. */
export const signInByApi = (url: string, who: Details): Promise<Person> => authenticate(url, '/login', who);

/** A profile of the first kind the server offers, with the person's name on it. */
export async function makeProfile(
  person: Person,
  fields: Record<string, unknown> = {},
): Promise<{ id: string | number }> {
  const types = await person.call<{ id: string | number }[]>('GET', '/profile_types');
  const made = await person.call<{ data: { id: string | number } }>('POST', '/profile', {
    profile_type_id: types.body[0]?.id,
    stage_name: person.name,
    ...fields,
  });
  if (made.status !== 201) throw new Error(`Making a profile answered ${made.status}: ${JSON.stringify(made.body)}`);
  return made.body.data;
}

/** Where a profile's page stands. */
export async function getProfilePath(person: Person, profileId: string | number): Promise<string> {
  type Profile = { slug: string; profile_type: { slug: string } };
  const { body } = await person.call<Profile>('GET', `/profile/details/${profileId}`);
  return `/profile/${body.slug}/${body.profile_type.slug}`;
}

/** Has one ask and the other say yes; the ids of their connection and of the conversation that opens with it. */
export async function connect(one: Person, other: Person): Promise<{ connection: string; conversation: string }> {
  const asked = await one.call<{ data: { id: string } }>('POST', `/connections/request/${other.id}`);
  const connection = asked.body.data.id;
  const said = await other.call<{ data: { conversation_id: string } }>('POST', `/connections/accept/${connection}`);
  return { connection, conversation: said.body.data.conversation_id };
}
