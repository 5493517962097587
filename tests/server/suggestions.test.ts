import { expect, test } from 'vitest';
import type { Connection } from '#contract/records/people.ts';
import { addProfile, askToConnect, block, connect } from './support/people.ts';
import { useStage, type Person } from './support/stage.ts';

const stage = useStage();

const getSuggested = async (person: Person) =>
  (await stage.call<Connection[]>('GET /connections/suggested', { token: person.token })).body;
const getNames = async (person: Person) => (await getSuggested(person)).map(({ name }) => name);

let industryIds: string[] = [];
async function performer(name: string, fields: { location?: string; industry?: number; status?: string } = {}) {
  const person = await stage.join(name);
  const { id: profile_id } = await addProfile(stage, person);
  const { industry, ...rest } = fields;
  if (industryIds.length === 0) {
    industryIds = (await stage.call<{ id: string }[]>('GET /filters/industry')).body.map(({ id }) => id);
  }
  const profile_industry_id = industry === undefined ? undefined : industryIds[industry];
  const body = { profile_id, profile_industry_id, ...rest };
  const changed = await stage.call('PUT /profile/update', { token: person.token, body });
  if (changed.status !== 200) throw new Error(changed.text);
  return { ...person, profileId: profile_id };
}

test('ranks people by what they have in common and excludes known, blocked and inactive ones', async () => {
  const near = { location: 'Pune, India', industry: 2 };
  const me = await performer('Me', near);
  const friend = await performer('Friend', { location: 'Delhi', industry: 5 });
  const friendOfFriend = await performer('Friend of a friend', { location: 'Delhi', industry: 5 });
  const both = await performer('Both', { ...near, location: 'Pune' });
  const everything = await performer('Everything', near);
  const place = await performer('Same place', { location: 'pune, Maharashtra', industry: 6 });
  const industry = await performer('Same industry', { location: 'Kochi, India', industry: 2 });
  const neither = await performer('Neither', { location: 'Kochi, India', industry: 7 });
  const [asked, asking] = [await performer('Asked', near), await performer('Asking', near)];
  const [blocked, blocking] = [await performer('Blocked', near), await performer('Blocking', near)];
  await performer('Inactive', { ...near, status: 'inactive' });
  await stage.join('Without a profile');

  await connect(stage, me, friend);
  await connect(stage, friend, friendOfFriend);
  await connect(stage, everything, friend);
  await connect(stage, friend, blocked);
  await askToConnect(stage, me, asked);
  await askToConnect(stage, asking, me);
  await block(stage, me, blocked);
  await block(stage, blocking, me);

  const suggested = await getSuggested(me);
  expect(new Set(suggested.map(({ name }) => name))).toEqual(
    new Set([everything, both, industry, place, friendOfFriend, neither].map(({ name }) => name)),
  );
  expect(suggested.slice(0, 2).map(({ name }) => name)).toEqual(['Everything', 'Both']);
  expect(suggested.at(-1)?.name).toBe('Neither');
  expect(suggested[0]).toMatchObject({
    id: null,
    status: null,
    user_id: everything.id,
    connected_user_id: null,
    sender: null,
    receiver: null,
    address: 'Pune, India',
    profile_type: { slug: 'actor-performer' },
    message: null,
    updated_at: null,
  });

  await askToConnect(stage, me, everything);
  expect((await getNames(me))[0]).toBe('Both');
  await stage.call('PUT /profile/update', {
    token: both.token,
    body: { profile_id: both.profileId, status: 'inactive' },
  });
  expect(await getNames(me)).not.toContain('Both');
});

test('suggests the fullest profiles to somebody without a profile', async () => {
  const me = await stage.join('Newcomer');
  const names = await getNames(me);
  expect(names.length).toBeGreaterThan(3);
  expect(names).not.toContain('Newcomer');
  expect(names).not.toContain('Inactive');
});
