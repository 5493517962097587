import { expect, test } from 'vitest';
import type { Connection } from '#contract/records/people.ts';
import { addProfile, requestConnection, block, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();

const getSuggested = async (person: Person) =>
  (await testServer.call<Connection[]>('GET /connections/suggested', { token: person.token })).body;
const getNames = async (person: Person) => (await getSuggested(person)).map(({ name }) => name);

let industryIds: string[] = [];
async function addPerformer(name: string, fields: { location?: string; industry?: number; status?: string } = {}) {
  const person = await testServer.join(name);
  const { id: profile_id } = await addProfile(testServer, person);
  const { industry, ...rest } = fields;
  if (industryIds.length === 0) {
    industryIds = (await testServer.call<{ id: string }[]>('GET /filters/industry')).body.map(({ id }) => id);
  }
  const profile_industry_id = industry === undefined ? undefined : industryIds[industry];
  const body = { profile_id, profile_industry_id, ...rest };
  const changed = await testServer.call('PUT /profile/update', { token: person.token, body });
  if (changed.status !== 200) throw new Error(changed.text);
  return { ...person, profileId: profile_id };
}

test('ranks people by what they have in common and excludes known, blocked and inactive ones', async () => {
  const near = { location: 'Pune, India', industry: 2 };
  const me = await addPerformer('Me', near);
  const friend = await addPerformer('Friend', { location: 'Delhi', industry: 5 });
  const friendOfFriend = await addPerformer('Friend of a friend', { location: 'Delhi', industry: 5 });
  const both = await addPerformer('Both', { ...near, location: 'Pune' });
  const everything = await addPerformer('Everything', near);
  const place = await addPerformer('Same place', { location: 'pune, Maharashtra', industry: 6 });
  const industry = await addPerformer('Same industry', { location: 'Kochi, India', industry: 2 });
  const neither = await addPerformer('Neither', { location: 'Kochi, India', industry: 7 });
  const [asked, requester] = [await addPerformer('Asked', near), await addPerformer('Asking', near)];
  const [blocked, blocking] = [await addPerformer('Blocked', near), await addPerformer('Blocking', near)];
  await addPerformer('Inactive', { ...near, status: 'inactive' });
  await testServer.join('Without a profile');

  await connect(testServer, me, friend);
  await connect(testServer, friend, friendOfFriend);
  await connect(testServer, everything, friend);
  await connect(testServer, friend, blocked);
  await requestConnection(testServer, me, asked);
  await requestConnection(testServer, requester, me);
  await block(testServer, me, blocked);
  await block(testServer, blocking, me);

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

  await requestConnection(testServer, me, everything);
  expect((await getNames(me))[0]).toBe('Both');
  await testServer.call('PUT /profile/update', {
    token: both.token,
    body: { profile_id: both.profileId, status: 'inactive' },
  });
  expect(await getNames(me)).not.toContain('Both');
});

test('suggests the fullest profiles to somebody without a profile', async () => {
  const me = await testServer.join('Newcomer');
  const names = await getNames(me);
  expect(names.length).toBeGreaterThan(3);
  expect(names).not.toContain('Newcomer');
  expect(names).not.toContain('Inactive');
});
