import { expect, test } from 'vitest';
import { DEMO_SIGN_IN, seedDemo } from '#server/demo/seed.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();

test('demo people know each other, work in industries and keep profiles; they are made once', async () => {
  expect(await seedDemo(stage.app)).toBe(true);
  const { body } = await stage.call<{ token: string }>('POST /login', { body: DEMO_SIGN_IN });
  const { token } = body;
  // The one that just signed in, and none of the making.
  expect((await stage.call<object[]>('GET /sessions', { token })).body).toHaveLength(1);
  const records: { type: string; body: Record<string, unknown> | null }[] = [];
  for (let cursor = '', more = true; more;) {
    const page = await stage.call<{ records: typeof records; cursor: string; has_more: boolean }>(
      `GET /sync${cursor && `?cursor=${cursor}`}`,
      { token },
    );
    records.push(...page.body.records);
    ({ cursor, has_more: more } = page.body);
  }
  const of = (type: string) => records.filter((each) => each.type === type).map((each) => each.body);
  expect(of('profile').length).toBeGreaterThan(1);
  expect(of('connection').map((each) => [each?.['name'], each?.['status']])).toEqual([
    ['Arjun Nair', 'accepted'],
    ['Tenzin Dolma', 'accepted'],
    ['Zoya Sheikh', 'pending'],
  ]);
  expect(of('conversation').map((each) => each?.['unread_count'])).toEqual([1, 0]);
  expect(of('message').filter((each) => each?.['media'])).toHaveLength(1);
  expect(of('saved_profile').map((each) => each?.['stage_name'])).toEqual(['Zoya Sheikh']);
  const industries = await stage.call<{ name: string; count: number }[]>('GET /filters/industry');
  expect(industries.body.find(({ name }) => name === 'Theatre')?.count).toBe(2);
  expect(await seedDemo(stage.app)).toBe(true);
  expect((await stage.call<object[]>('GET /profiles/all?limit=100', { token })).body).toHaveLength(5);
});
