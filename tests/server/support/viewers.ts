import { addProfile } from './people.ts';
import type { Person, Stage } from './stage.ts';

/** The fields of a profile that depend on the viewer. */
export interface Seen {
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
export function viewerCalls(stage: Stage) {
  const statusOf = async (request: string, person?: Person) =>
    (await stage.call(request, { token: person?.token })).status;
  const look = async <T = Seen>(request: string, person?: Person, headers: Record<string, string> = {}) =>
    (await stage.call<T>(request, { token: person?.token, headers })).body;
  const pull = async (person: Person, cursor?: string) =>
    look<Feed>(`GET /sync${cursor ? `?cursor=${cursor}` : ''}`, person);
  const change = (person: Person, profile_id: string, fields: object) =>
    stage.call('PUT /profile/update', { token: person.token, body: { profile_id, ...fields } });

  let performers = 0;
  /** Adds a performer with an active profile, a public contact of an agent and a private contact. */
  async function performer() {
    performers += 1;
    const person = await stage.join(`Performer ${performers}`);
    const { id } = await addProfile(stage, person);
    await change(person, id, { dob: '1994-08-17', per_day: 18_000, title: 'Actor' });
    const contact = async (contact_type: string) => {
      const body = {
        profile_id: id,
        contact_type,
        name: contact_type,
        mobile: '+91 98765 43210',
        email: 'a@b.example',
        address: 'Pune',
      };
      const made = await stage.call<{ data: { id: string } }>('POST /contact', { token: person.token, body });
      if (made.status !== 201) throw new Error(made.text);
      return made.body.data.id;
    };
    return { ...person, profileId: id, basicId: await contact('basic'), agentId: await contact('representative') };
  }
  return { statusOf, look, pull, change, performer };
}
