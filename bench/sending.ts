import { experience } from '#contract/sections/experience.ts';
import { makePerson, type Person } from '../tests/e2e/support/people.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { openEngine } from './engine-browser.ts';
import { type Figure, paired, ratioAtLeast } from './figures.ts';

/** The number of requests that the engine sends concurrently. */
const PLACES = 3;
const MOST_ROWS = 500;

/** Records to edit, on as many profiles as needed. */
async function makeRecords(person: Person, count: number): Promise<void> {
  const types = (await person.call<{ id: string }[]>('GET', '/profile_types')).body;
  for (let made = 0; made < count; made += MOST_ROWS) {
    const body = { profile_type_id: types[made / MOST_ROWS]?.id, stage_name: person.name };
    const profile = (await person.call<{ data: { id: string } }>('POST', '/profile', body)).body.data;
    const many = Math.min(MOST_ROWS, count - made);
    for (let n = 0; n < many; n += 1) {
      const row = { ...experience.example, profile_id: profile.id };
      const { status } = await person.call('POST', '/profile/experience', row);
      if (status !== 201) throw new Error(`Making a record was answered ${status}`);
    }
  }
}

async function countWritten(person: Person, words: string): Promise<number> {
  const profiles = (await person.call<{ id: string }[]>('GET', '/profiles/all')).body;
  let written = 0;
  for (const { id } of profiles) {
    const rows = (await person.call<{ details: string }[]>('GET', `/profile/experiences/${id}`)).body;
    written += rows.filter((row) => row.details === words).length;
  }
  return written;
}

/** Queues edits of distinct records offline and sends them, against the same requests by bare fetch. */
export async function measureSending({ runs, count }: { runs: number; count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const person = await makePerson(server.url);
  await makeRecords(person, count);
  const { device, page } = await openEngine(server.url, person);
  const ours: number[] = [];
  const bare: number[] = [];
  const perSecond = (ms: number) => (count * 1000) / ms;
  const send = async (words: string) => {
    const ms = await page.evaluate((each) => window.enginePage.send(each), words);
    const written = await countWritten(person, words);
    if (written !== count) throw new Error(`${written} of ${count} edits are on the server`);
    return ms;
  };
  const sendBare = (words: string) =>
    page.evaluate(([each, places]) => window.enginePage.sendBare(each, places), [words, PLACES] as const);
  try {
    await sendBare('Warming up');
    await send('Warming up too');
    for (let run = 0; run < runs; run += 1) {
      // The order alternates, so that neither side always has the warmer server.
      if (run % 2 === 0) bare.push(perSecond(await sendBare(`Bare ${run}`)));
      ours.push(perSecond(await send(`Ours ${run}`)));
      if (run % 2 === 1) bare.push(perSecond(await sendBare(`Bare ${run}`)));
    }
  } finally {
    await device.dispose();
    await server.dispose();
  }
  return [
    {
      part: 'Sending what waited',
      name: `${count} edits of as many records`,
      unit: '/s',
      ...paired(ours, { name: `bare fetch, ${PLACES} at once`, runs: bare }),
      bar: ratioAtLeast(0.6),
    },
  ];
}
