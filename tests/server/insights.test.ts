import { describe, expect, test } from 'vitest';
import type { Insights } from '#contract/records/insights.ts';
import {
  disclose,
  mergeNeighbors,
  quantile,
  roundDownToGroup,
  toShare,
  toTwoSignificantFigures,
} from '#server/read-models/insights/disclosure.ts';
import { prepareInsights, readStoredInsights } from '#server/read-models/insights/store.ts';
import { addCredit, addProfile, addSkill, requestConnection } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const groupsOf = (...sizes: number[]) => sizes.map((people) => ({ people }));

describe('groups', () => {
  test('shows no group under five people and hides no remainder under five', () => {
    // All combinations of up to three groups and some people without a group.
    for (let a = 0; a < 12; a += 1)
      for (let b = 0; b < 12; b += 1)
        for (let c = 0; c < 12; c += 1)
          for (let ungrouped = 0; ungrouped < 7; ungrouped += 1) {
            const { shown, rest } = disclose(groupsOf(a, b, c), { ungrouped });
            const hidden = a + b + c + ungrouped - shown.reduce((all, { people }) => all + people, 0);
            const all = a + b + c + ungrouped;
            expect(shown.every(({ people }) => people >= 5)).toBe(true);
            expect(rest.reduce((sum, { people }) => sum + people, ungrouped)).toBe(hidden);
            // Either everybody is in a shown group, or the hidden remainder is large enough, or nothing is shown.
            expect([a, b, c, ungrouped, hidden === 0 || hidden >= 5 || hidden === all]).toEqual([
              a,
              b,
              c,
              ungrouped,
              true,
            ]);
          }
  });

  test('hides the smallest shown groups when the remainder could be derived from the total', () => {
    expect(disclose(groupsOf(9, 7, 5)).shown).toEqual(groupsOf(9, 7, 5));
    expect(disclose(groupsOf(9, 7, 2))).toEqual({ shown: groupsOf(9), rest: groupsOf(7, 2) });
    expect(disclose(groupsOf(9, 7, 3, 2)).shown).toEqual(groupsOf(9, 7));
    expect(disclose(groupsOf(9, 7), { ungrouped: 4 }).shown).toEqual(groupsOf(9));
    expect(disclose(groupsOf(9, 8, 7), { maxGroups: 2 })).toEqual({ shown: groupsOf(9, 8), rest: groupsOf(7) });
  });

  test('merges adjacent groups until they have five people', () => {
    const add = (a: { people: number }, b: { people: number }) => ({ people: a.people + b.people });
    expect(mergeNeighbors(groupsOf(5, 0, 9, 6), add)).toEqual(groupsOf(5, 9, 6));
    expect(mergeNeighbors(groupsOf(2, 4, 9, 1), add)).toEqual(groupsOf(6, 10));
    expect(mergeNeighbors(groupsOf(1, 1, 1, 2), add)).toEqual(groupsOf(5));
    expect(mergeNeighbors(groupsOf(7, 0, 0, 0), add)).toEqual(groupsOf(7));
  });

  test('rounds figures', () => {
    expect([4, 5, 9, 10].map(roundDownToGroup)).toEqual([0, 5, 5, 10]);
    expect([toShare(6, 14), toShare(5, 1000), toShare(990, 1000)]).toEqual([45, 5, 95]);
    expect([toShare(10, 10), toShare(6, 10), toShare(5, 10)]).toEqual([null, null, 50]);
    expect([18_250, 999, 7, 123_456, 0.5].map(toTwoSignificantFigures)).toEqual([18_000, 1000, 7, 120_000, 1]);
    expect([quantile([1, 2, 3, 4], 0.5), quantile([7], 0.25), quantile([1, 2, 3], 0.25)]).toEqual([2.5, 7, 1.5]);
  });
});

describe('GET /insights', () => {
  const testServer = useTestServer();
  const TEN_MINUTES = 10 * 60_000;
  const read = async () => {
    testServer.clock.advance(TEN_MINUTES);
    return (await testServer.call<Insights>('GET /insights')).body;
  };

  interface PerformerOptions {
    location?: string;
    per_day?: number;
    /** Index in the list of industries. */
    industry?: number;
    since?: number;
    skills?: string[];
  }
  async function addPerformer({
    location,
    per_day,
    industry,
    since,
    skills = [],
  }: PerformerOptions): Promise<Person & { profileId: string }> {
    const person = await testServer.join();
    const { id: profile_id } = await addProfile(testServer, person);
    const list = (await testServer.call<{ id: string }[]>('GET /filters/industry')).body;
    const profile_industry_id = industry === undefined ? undefined : list[industry]?.id;
    const changed = await testServer.call('PUT /profile/update', {
      token: person.token,
      body: { profile_id, location, per_day, profile_industry_id },
    });
    if (changed.status !== 200) throw new Error(changed.text);
    if (since !== undefined) await addCredit(testServer, person, profile_id, { start_year: since, end_year: since });
    for (const skill of skills) await addSkill(testServer, person, profile_id, skill);
    return { ...person, profileId: profile_id };
  }
  const addPerformers = async (count: number, toOptions: (index: number) => PerformerOptions) => {
    const people = [];
    for (let index = 0; index < count; index += 1) people.push(await addPerformer(toOptions(index)));
    return people;
  };
  const industryName = async (index: number) =>
    (await testServer.call<{ name: string }[]>('GET /filters/industry')).body[index]?.name;

  test('shows nothing for fewer than five people', async () => {
    await addPerformers(4, () => ({ location: 'Kochi, India', per_day: 9000, industry: 3, skills: ['Fencing'] }));
    expect(await read()).toEqual({
      as_of: '2026-11-21',
      rates: [],
      demand: { days: 180, people: 0, languages: [], skills: [] },
      cities: [],
    });
  });

  test('shows cities, rates and demand of at least five people and hides the rest among enough others', async () => {
    const pune = await addPerformers(7, (index) => ({
      location: index < 5 ? 'Pune, India' : ' pune ,Maharashtra',
      per_day: 10_000 + index * 1000,
      industry: 0,
      // Four started this year and three eleven years ago. Fewer than five have that experience, so all form one band.
      since: index < 4 ? 2026 : 2015,
      skills: index < 5 ? ['Kathak'] : [' kathak', 'Riding'],
    }));
    await addPerformers(5, () => ({ location: 'Mumbai', per_day: 40_000, industry: 1, since: 2010 }));
    const before = await read();
    const [first, second] = [await industryName(0), await industryName(1)];
    // Kochi has four people and cannot be shown. Together with the five of Mumbai the hidden group has nine.
    expect(before.cities).toEqual([
      { name: 'Pune', people: 5 },
      { name: null, people: 5 },
    ]);
    expect(before.rates).toEqual([
      {
        name: first,
        people: 5,
        median: 13_000,
        low: null,
        high: null,
        bands: [{ from_years: 0, below_years: null, people: 5, median: 13_000, low: null, high: null }],
      },
      // The third industry has four people, so the second is hidden with it.
      {
        name: null,
        people: 5,
        median: 40_000,
        low: null,
        high: null,
        bands: [{ from_years: 0, below_years: null, people: 5, median: 40_000, low: null, high: null }],
      },
    ]);
    expect(JSON.stringify(before)).not.toMatch(/Kochi|Fencing/);
    expect(second && JSON.stringify(before).includes(second)).toBe(false);

    // Ten people receive requests: everybody in Pune, two of whom ride, and three without skills.
    const others = await addPerformers(3, () => ({}));
    const asking = await testServer.join('Casting');
    for (const person of [...pune, ...others]) await requestConnection(testServer, asking, person);
    const after = await read();
    // Three of the requested people do not have the skill, so its share is not shown.
    expect(after.demand).toEqual({ days: 180, people: 10, languages: [], skills: [{ name: 'Kathak', share: null }] });

    // Half a year later the requests no longer count.
    testServer.clock.advance(181 * 24 * 60 * 60_000);
    expect((await read()).demand.people).toBe(0);
  });

  test('splits an industry into bands of five people and shows quartiles from ten people on', async () => {
    await addPerformers(12, (index) => ({
      per_day: 20_000 + index * 1000,
      industry: 2,
      since: index < 6 ? 2025 : 2000,
    }));
    const name = await industryName(2);
    const { rates } = await read();
    expect(rates.find((each) => each.name === name)).toEqual({
      name,
      people: 10,
      median: 26_000,
      low: 23_000,
      high: 28_000,
      bands: [
        { from_years: 0, below_years: 5, people: 5, median: 23_000, low: null, high: null },
        { from_years: 5, below_years: null, people: 5, median: 29_000, low: null, high: null },
      ],
    });
  });

  test('ignores inactive profiles and counts each person once', async () => {
    const five = await addPerformers(5, () => ({ per_day: 5000, location: 'Nashik', industry: 4 }));
    for (const person of five) {
      const { id: profile_id } = await addProfile(testServer, person, 1);
      await testServer.call('PUT /profile/update', {
        token: person.token,
        body: { profile_id, per_day: 1, location: 'Nashik' },
      });
    }
    const { cities, rates } = await read();
    expect(cities).toContainEqual({ name: 'Nashik', people: 5 });
    const name = await industryName(4);
    expect(rates.find((each) => each.name === name)).toMatchObject({ people: 5, median: 5000 });
    expect(rates.filter(({ median }) => median < 5000)).toEqual([]);
    const [one] = five;
    for (const { id: profile_id } of (
      await testServer.call<{ id: string }[]>(`GET /profiles/shared/all/${one?.id}`, { token: one?.token })
    ).body) {
      await testServer.call('PUT /profile/update', { token: one?.token, body: { profile_id, status: 'inactive' } });
    }
    const after = await read();
    expect(JSON.stringify(after)).not.toContain('Nashik');
    expect(after.rates.map((each) => each.name)).not.toContain(name);
  });

  test('returns the same cached figures to everybody for ten minutes and revalidates by ETag', async () => {
    const first = await read();
    const answer = await testServer.call<Insights>('GET /insights', { token: (await testServer.join()).token });
    expect(answer.body).toEqual(first);
    await addPerformers(5, () => ({ location: 'Indore' }));
    expect((await testServer.call<Insights>('GET /insights')).body).toEqual(first);
    const tag = answer.headers.etag ?? '';
    expect((await testServer.call('GET /insights', { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await read()).cities).toContainEqual({ name: 'Indore', people: 5 });
  });
});

describe('slow figures', () => {
  const testServer = useTestServer();

  test('are computed ahead of the first visitor where there are many profiles', async () => {
    const { db } = testServer.database;
    await addProfile(testServer, await testServer.join());
    await prepareInsights(db, testServer.clock.now(), 2);
    expect(await readStoredInsights(db)).toBeNull();
    await prepareInsights(db, testServer.clock.now(), 1);
    const { madeAt } = (await readStoredInsights(db))!;
    expect(madeAt).toEqual(testServer.clock.now());
    testServer.clock.advance(5 * 60_000);
    await prepareInsights(db, testServer.clock.now(), 1);
    expect((await readStoredInsights(db))?.madeAt).toEqual(madeAt);
  });

  test('are computed again when a wrong clock dated the last ones in the future', async () => {
    const { db, pool } = testServer.database;
    await addProfile(testServer, await testServer.join());
    await prepareInsights(db, testServer.clock.now(), 1);
    await pool.query(`update insight_figures set made_at = '2099-01-01'`);
    await prepareInsights(db, testServer.clock.now(), 1);
    expect((await readStoredInsights(db))?.madeAt).toEqual(testServer.clock.now());
  });

  test('are refreshed in the background while the previous ones are served', async () => {
    const first = (await testServer.call<Insights>('GET /insights')).body;
    expect(first.as_of).toBe('2026-11-21');
    testServer.clock.advance(86_400_000);
    const holder = await testServer.database.pool.connect();
    await holder.query('begin; lock table connections in access exclusive mode');
    expect((await testServer.call<Insights>('GET /insights')).body).toEqual(first);
    // A second request does not start another computation.
    expect((await testServer.call<Insights>('GET /insights')).body).toEqual(first);
    await holder.query('commit');
    holder.release();
    await expect
      .poll(async () => (await testServer.call<Insights>('GET /insights')).body.as_of, { timeout: 10_000 })
      .toBe('2026-11-22');
  });

  test('keep the previous ones when the computation fails', async () => {
    const before = (await testServer.call<Insights>('GET /insights')).body;
    testServer.clock.advance(86_400_000);
    await testServer.database.pool.query('alter table connections rename to connections_away');
    expect((await testServer.call<Insights>('GET /insights')).body).toEqual(before);
    await testServer.database.pool.query('alter table connections_away rename to connections');
    testServer.clock.advance(600_000);
    expect((await testServer.call<Insights>('GET /insights')).body.as_of).toBe('2026-11-23');
  });
});

describe('insights page', () => {
  const testServer = useTestServer({ appFiles: { 'index.html': '<!doctype html><title>Callboard</title>' } });
  test('serves the app to a page visit and the figures to an API request', async () => {
    const visit = await testServer.app.inject({ url: '/insights', headers: { accept: 'text/html' } });
    expect(visit.headers['content-type']).toContain('text/html');
    const called = await testServer.call('GET /insights');
    expect(called.headers['content-type']).toContain('application/json');
  });
});
