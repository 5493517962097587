import type { SearchRow } from '#contract/records/search.ts';
import { openDevice } from '../tests/e2e/support/device.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { BENCH_PATH, serveBenchPage } from './bench-page.ts';
import { type BoardPerson, generateBoard } from './generated-board.ts';
import { atMost, type Figure, paired, percentile, spread } from './figures.ts';
import { getQueries } from './searching.ts';

const SLOWED = 4;

const toRow = (person: BoardPerson, n: number): SearchRow => ({
  id: String(n),
  title: person.title,
  stage_name: person.name,
  location: `${person.city}, India`,
  profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' },
  profile_photo: null,
  slug: `person-${n}`,
  facts: {
    user_id: String(n),
    name: person.name,
    min_age_range: person.ages[0],
    max_age_range: person.ages[1],
    profile_industry_id: String(person.industry),
    languages: person.languages.map((id) => ({ id: String(id), name: `Language ${id}` })),
    skills: person.skills.map(([name, level]) => ({ name, level })),
    height: person.height,
    hair: person.hair,
    eyes: person.eyes,
    accents: [],
    voice_languages: [],
    has_reel: person.hasReel,
    is_active_lately: true,
    is_saved: 0,
  },
});

/** Measures offline search among the people stored on a device with a CPU slowdown of four. */
export async function measureFinding({ runs, count }: { runs: number; count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const device = await openDevice({ url: server.url });
  const { page } = device;
  const people = generateBoard(count);
  const [ours, bare, reading]: [number[], number[], number[]] = [[], [], []];
  try {
    await serveBenchPage(device, { source: 'bench/finding-page.ts' });
    await device.open(BENCH_PATH);
    await page.evaluate((rows) => window.findingPage.fill(rows), people.map(toRow));
    const session = await device.context.newCDPSession(page);
    for (let run = 0; run < runs; run += 1) {
      await device.open(BENCH_PATH);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
      reading.push(await page.evaluate(() => window.findingPage.read()));
      const queries = getQueries(people, run).map(String);
      const times = await page.evaluate(
        (asked) => asked.map((query) => [...window.findingPage.search(query), window.findingPage.bare(query)] as const),
        queries,
      );
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      const found = times.filter(([, each]) => each > 0).length;
      if (found < queries.length / 2) throw new Error(`Only ${found} searches found anybody`);
      ours.push(
        percentile(
          times.map(([ms]) => ms),
          0.95,
        ),
      );
      bare.push(
        percentile(
          times.map(([, , ms]) => ms),
          0.95,
        ),
      );
    }
  } finally {
    await device.dispose();
    await server.dispose();
  }
  const part = `Searching ${count.toLocaleString('en')} people kept on a device, processor slowed down ${SLOWED} times`;
  return [
    {
      part,
      name: 'different searches, slips and filters, p95',
      unit: 'ms',
      ...paired(ours, { name: 'one text looked for in all of them, p95', runs: bare }),
      bar: atMost(100),
    },
    { part, name: 'reading everybody, once', unit: 'ms', value: spread(reading) },
  ];
}
