import { addProfile } from './people.ts';
import type { Person, TestServer } from './test-server.ts';

/** The fields of a profile that depend on the viewer. */
export interface ViewedProfile {
  dob: string | null;
  per_day: number | null;
  is_saved: number;
  connection: object | null;
}

interface Feed {
  records: { type: string; id: string; parent: string | null; body: Record<string, unknown> | null }[];
  cursor: string;
}

/** Requests of people who view each other's profiles. Without a person the request is anonymous. */
export function viewerCalls(testServer: TestServer) {
  const getStatus = async (request: string, person?: Person) =>
    (await testServer.call(request, { token: person?.token })).status;
  const get = async <T = ViewedProfile>(request: string, person?: Person, headers: Record<string, string> = {}) =>
    (await testServer.call<T>(request, { token: person?.token, headers })).body;
  const pull = async (person: Person, cursor?: string) =>
    get<Feed>(`GET /sync${cursor ? `?cursor=${cursor}` : ''}`, person);
  const change = (person: Person, profile_id: string, fields: object) =>
    testServer.call('PUT /profile/update', { token: person.token, body: { profile_id, ...fields } });

  let performers = 0;
  /** Adds a performer with an active profile, a public contact of an agent and a private contact. */
  async function addPerformer(given?: Person) {
    performers += 1;
    const person = given ?? (await testServer.join(`Performer ${performers}`));
    const { id } = await addProfile(testServer, person);
    await change(person, id, { ...(given === undefined && { dob: '1994-08-17' }), per_day: 18_000, title: 'Actor' });
    const contact = async (contact_type: string) => {
      const body = {
        profile_id: id,
        contact_type,
        name: contact_type,
        mobile: '+91 98765 43210',
        email: 'a@b.example',
        address: 'Pune',
      };
      const made = await testServer.call<{ data: { id: string } }>('POST /contact', { token: person.token, body });
      if (made.status !== 201) throw new Error(made.text);
      return made.body.data.id;
    };
    return { ...person, profileId: id, basicId: await contact('basic'), agentId: await contact('representative') };
  }
  return { getStatus, get, pull, change, addPerformer };
}
