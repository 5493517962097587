import { randomUUID } from 'node:crypto';
import type { Person, Stage } from './stage.ts';

interface Row {
  id: string;
  version: number;
}

export const CREDIT = {
  experience_type: 'Theatre',
  experience_title: 'The Winter Bench',
  details: 'Kamala',
  start_month: 1,
  start_year: 2024,
  end_month: 3,
  end_year: 2024,
};

/** A new profile of this person. @param type place in the list of types, from 0 */
export async function addProfile(stage: Stage, person: Person, type = 0): Promise<Row> {
  const types = await stage.call<{ id: string }[]>('GET /profile_types');
  const answer = await stage.call<{ data: Row }>('POST /profile', {
    token: person.token,
    body: { profile_type_id: types.body[type]?.id, stage_name: person.name },
  });
  if (answer.status !== 201) throw new Error(`No profile: ${answer.text}`);
  return answer.body.data;
}

export async function addCredit(stage: Stage, person: Person, profileId: string, fields: object = {}): Promise<Row> {
  const answer = await stage.call<{ data: Row }>('POST /profile/experience', {
    token: person.token,
    headers: { 'idempotency-key': randomUUID() },
    body: { profile_id: profileId, ...CREDIT, ...fields },
  });
  if (answer.status !== 201) throw new Error(`No credit: ${answer.text}`);
  return answer.body.data;
}

export async function addSkill(stage: Stage, person: Person, profileId: string, name = 'Kathak'): Promise<Row> {
  const answer = await stage.call<{ data: Row }>('POST /skills', {
    token: person.token,
    body: { profile_id: profileId, name, level: 2 },
  });
  if (answer.status !== 201) throw new Error(`No skill: ${answer.text}`);
  return answer.body.data;
}
