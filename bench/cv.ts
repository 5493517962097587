import sharp from 'sharp';
import type { CvContent } from '#features/cv/pdf/content.ts';
import { readCvFonts } from '../scripts/bundle/cv-fonts.ts';
import { openDevice } from '../tests/e2e/support/device.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { BENCH_PATH, serveBenchPage } from './bench-page.ts';
import { atMost, type Figure, paired, spread } from './figures.ts';

/** A cheap phone against the machine that measures. */
const SLOWED = 6;
const CREDIT_COUNT = 25;
const HINDI = ['मीरा कुलकर्णी', 'निर्देशक', 'श्रीमती शक्ति', 'विद्यार्थी', 'क्षत्रिय'];

/** A CV in two scripts. @param run makes each a little different from the one before */
function getContent(run: number): CvContent {
  const rows = Array.from({ length: CREDIT_COUNT }, (_, at) => ({
    when: String(2026 - at),
    title: `The Long Monsoon, part ${at + run}`,
    url: at % 4 === 0 ? 'https://example.org/monsoon' : null,
    middle: at % 2 === 0 ? (HINDI[at % HINDI.length] ?? '') : 'Ira, lead',
    right: `Dir. Devika Rao, Lantern & Tide Pictures ${at}`,
    rank: 30_000 - at,
  }));
  return {
    name: `Meera Kulkarni ${HINDI[0]}`,
    title: 'Stage and screen actor',
    facts: [
      { label: 'Plays', value: '26 to 34' },
      { label: 'Height', value: '168 cm' },
      { label: 'Languages', value: 'Marathi, Hindi, English' },
      { label: 'Agent', value: 'Lakshmi Pillai, +91 20 5550 1234' },
    ],
    pageUrl: 'https://callboard.example/profile/meera-kulkarni/actor',
    parts: [
      {
        kind: 'table',
        noun: 'credit',
        groups: [
          { title: 'Film', rows: rows.slice(0, 10) },
          { title: 'Theatre', rows: rows.slice(10) },
        ],
      },
      {
        kind: 'list',
        title: 'Skills',
        noun: 'skill',
        entries: ['Kathak (expert)', 'singing', 'horse riding', 'swimming'],
      },
    ],
  };
}

/** Measures making the PDF of a CV with a CPU slowdown of six, beside a bare document with the same text. */
export async function measureCv({ runs }: { runs: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const device = await openDevice({ url: server.url });
  const { page } = device;
  const [first, warm, bare]: [number[], number[], number[]] = [[], [], []];
  const [size, bareSize]: [number[], number[]] = [[], []];
  try {
    const fonts = readCvFonts();
    const toName = (face: string) => `${face.replace(' ', '-')}.ttf`;
    const urls = [...fonts.keys()].map((face) => [face, `${BENCH_PATH}${toName(face)}`] as const);
    const files = Object.fromEntries([...fonts].map(([face, font]) => [toName(face), Buffer.from(font)]));
    const portrait = [
      ...(await sharp({ create: { width: 470, height: 588, channels: 3, background: '#7d2e2a' } })
        .jpeg()
        .toBuffer()),
    ];
    await serveBenchPage(device, { source: 'bench/cv-page.ts', files });
    const session = await device.context.newCDPSession(page);
    const make = (run: number) =>
      page.evaluate(([content, bytes]) => window.cvPage.make(content, bytes), [getContent(run), portrait] as const);
    for (let run = 0; run < runs; run += 1) {
      await device.open(BENCH_PATH);
      await page.evaluate((all) => window.cvPage.open(all), urls);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
      first.push((await make(0))[0]);
      const [ms, bytes] = await make(1);
      const [bareMs, bareBytes] = await page.evaluate(() => window.cvPage.bare());
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      warm.push(ms);
      size.push(bytes / 1024);
      bare.push(bareMs);
      bareSize.push(bareBytes / 1024);
    }
  } finally {
    await device.dispose();
    await server.dispose();
  }
  const part = `Making a CV with ${CREDIT_COUNT} credits in two scripts, processor slowed down ${SLOWED} times`;
  const peer = 'a bare PDFKit document with the same text';
  return [
    {
      part,
      name: 'library and fonts warm',
      unit: 'ms',
      ...paired(warm, { name: peer, runs: bare }),
      bar: atMost(1500),
    },
    { part, name: 'the first one of a page', unit: 'ms', value: spread(first) },
    { part, name: 'size of the file', unit: 'KiB', ...paired(size, { name: peer, runs: bareSize }) },
  ];
}
