import { randomUUID } from 'node:crypto';
import { ADULT } from '../../support/adult.ts';

/** A person with an account, created by API so that a test can start from a prepared state. */
export interface Person {
  id: string | number;
  name: string;
  email: string;
  password: string;
  token: string;
  /** Calls the API as this person without a browser, to prepare data and to check the server's state. */
  call<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }>;
}

/** A unique name, e-mail and password for a sign-up form. */
export function buildAccount() {
  const mark = randomUUID().slice(0, 8);
  return { name: `Asha Rao ${mark}`, email: `asha.${mark}@example.com`, password: `curtain call ${mark}` };
}

/** Calls the API with a token, or signed out if it is null. */
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
/** What the form sends beside that. */
type Answers = { [Name in keyof typeof ADULT]?: string | undefined };

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

/** Registers a new person at `url`. */
export const makePerson = (url: string, details: Partial<Details> & Answers = {}): Promise<Person> =>
  authenticate(url, '/register', { ...ADULT, ...buildAccount(), ...details });

/** Signs in a person whose account was created in the app. */
export const signInByApi = (url: string, who: Details): Promise<Person> => authenticate(url, '/login', who);

/** Creates a profile of the first kind that the server offers, with the person's name. */
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

/** Path of a profile's page in the app. */
export async function getProfilePath(person: Person, profileId: string | number): Promise<string> {
  type Profile = { slug: string; profile_type: { slug: string } };
  const { body } = await person.call<Profile>('GET', `/profile/details/${profileId}`);
  return `/profile/${body.slug}/${body.profile_type.slug}`;
}

/** Connects two people. @returns the ids of their connection and of their conversation */
export async function connect(one: Person, other: Person): Promise<{ connection: string; conversation: string }> {
  const asked = await one.call<{ data: { id: string } }>('POST', `/connections/request/${other.id}`);
  const connection = asked.body.data.id;
  const accepted = await other.call<{ data: { conversation_id: string } }>('POST', `/connections/accept/${connection}`);
  return { connection, conversation: accepted.body.data.conversation_id };
}
