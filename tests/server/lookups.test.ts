import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/platform/paths.ts';
import { addProfile } from './support/people.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();

interface Industry {
  id: string;
  name: string;
  icon_img: string;
  count: number;
}
const industries = async () => (await testServer.call<Industry[]>('GET /filters/industry')).body;

test('counts each person once per industry while a profile of theirs is active', async () => {
  const [film] = await industries();
  expect(film?.count).toBe(0);
  const person = await testServer.join();
  const made = [await addProfile(testServer, person, 0), await addProfile(testServer, person, 1)];
  const set = (profile_id: string | undefined, fields: object) =>
    testServer.call<{ data: { profile_industry_id: string | null } }>('PUT /profile/update', {
      token: person.token,
      body: { profile_id, ...fields },
    });
  for (const profile of made) {
    const answer = await set(profile.id, { profile_industry_id: film?.id });
    expect(answer.body.data.profile_industry_id).toBe(film?.id);
  }
  expect((await industries())[0]?.count).toBe(1);
  await set(made[0]?.id, { status: 'inactive' });
  expect((await industries())[0]?.count).toBe(1);
  await set(made[1]?.id, { profile_industry_id: null });
  expect((await industries())[0]?.count).toBe(0);
});

test('creates a profile in a listed industry and rejects any other', async () => {
  const person = await testServer.join();
  const [, second] = await industries();
  const types = await testServer.call<{ id: string }[]>('GET /profile_types');
  const make = (profile_industry_id: unknown) =>
    testServer.call<{ data: { profile_industry_id: string } }>('POST /profile', {
      token: person.token,
      body: { profile_type_id: types.body[0]?.id, stage_name: 'Ila', profile_industry_id },
    });
  for (const invalid of ['999999', 'film', '', '-1', {}, 1.5]) {
    const answer = await make(invalid);
    expect(answer.status, JSON.stringify(invalid)).toBe(422);
    expect(Object.keys((answer.body as unknown as { errors: object }).errors)).toEqual(['profile_industry_id']);
  }
  const made = await make(second?.id);
  expect(made.status).toBe(201);
  expect(made.body.data.profile_industry_id).toBe(second?.id);
});

test('has a distinct picture without scripts for each industry', async () => {
  const list = await industries();
  expect(new Set(list.map((each) => each.icon_img)).size).toBe(list.length);
  for (const { icon_img } of list) {
    const svg = await readFile(path.join(projectRoot, 'public', icon_img), 'utf8');
    expect(svg).toMatch(/^<svg xmlns=/);
    expect(svg).not.toMatch(/script|href|on\w+=/i);
  }
});

test('lists languages by name with an inline picture each', async () => {
  const { body } = await testServer.call<{ id: string; name: string; icon_img: string }[]>('GET /languages');
  expect(body.length).toBeGreaterThan(50);
  const names = body.map((each) => each.name);
  expect(names).toEqual([...names].sort());
  expect(names).toEqual(expect.arrayContaining(['Hindi', 'Marathi', 'Tamil', 'English', 'Japanese']));
  for (const { icon_img } of body) {
    expect(decodeURIComponent(icon_img)).toMatch(/^data:image\/svg\+xml,<svg .*<text .*>[^<>]{1,4}<\/text><\/svg>$/u);
  }
});
