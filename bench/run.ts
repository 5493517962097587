/**
 * `npm run bench`: measures Callboard, each figure beside a bare operation in the same run. Prints one table, writes it
 * to bench/RESULTS.md and exits with an error when a bar is missed. `--quick` makes fewer runs, writes nothing and fails
 * only if something cannot be measured: the full suite runs it, because a part that no longer works is seen nowhere else.
 * `--only saving,sending` measures those parts and writes nothing. `--only growth` fills a board of 200,000 people
 * first, takes half an hour and writes bench/RESULTS-growth.md. `--only lighthouse` fetches Lighthouse from the npm
 * registry.
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import { measureBytesAlone } from './bytes.ts';
import { measureCasting } from './casting.ts';
import { measureConversation } from './conversation.ts';
import { measureFanOut } from './fan-out.ts';
import { measureCv } from './cv.ts';
import { type Figure, isMet, toTable } from './figures.ts';
import { measureFinding } from './finding.ts';
import { measureFirstFrame } from './first-frame.ts';
import { measureFullOpening } from './full-opening.ts';
import { measureGallery } from './gallery.ts';
import { measureGrowth } from './growth.ts';
import { measureInteractions } from './interactions.ts';
import { measureLighthouse } from './lighthouse.ts';
import { measureLiveMessage } from './live-message.ts';
import { measureLongQueue } from './long-queue.ts';
import { describeMachine } from './machine.ts';
import { measureMemory } from './memory.ts';
import { measureOpening } from './opening.ts';
import { measurePicking } from './picking.ts';
import { measureSaving } from './saving.ts';
import { measureSearching } from './searching.ts';
import { measureSending } from './sending.ts';
import { measureServing } from './serving.ts';
import { measureStarting } from './starting.ts';
import { measureThumbnails } from './thumbnails.ts';
import { measureUploading } from './uploading.ts';

const isQuick = process.argv.includes('--quick');
const onlyAt = process.argv.indexOf('--only');
const only = onlyAt < 0 ? null : (process.argv[onlyAt + 1] ?? '').split(',');

const parts: Record<string, () => Promise<Figure[]>> = {
  bytes: measureBytesAlone,
  opening: () => measureOpening({ runs: isQuick ? 3 : 9 }),
  queue: () => measureLongQueue(isQuick ? { runs: 3, count: 20_000 } : { runs: 9, count: 20_000 }),
  full: () => measureFullOpening(isQuick ? { runs: 1, count: 5 } : { runs: 3, count: 20 }),
  saving: () => measureSaving(isQuick ? { runs: 3, count: 60 } : { runs: 7, count: 200 }),
  sending: () => measureSending(isQuick ? { runs: 2, count: 200 } : { runs: 5, count: 1000 }),
  uploading: () => measureUploading({ runs: isQuick ? 1 : 5 }),
  picking: () => measurePicking({ runs: isQuick ? 1 : 5 }),
  gallery: () => measureGallery(isQuick ? { runs: 1, count: 100 } : { runs: 3, count: 500 }),
  thumbnails: () => measureThumbnails({ count: isQuick ? 6 : 24 }),
  memory: () => measureMemory({ runs: isQuick ? 1 : 5 }),
  starting: () => measureStarting({ runs: isQuick ? 2 : 5 }),
  conversation: () => measureConversation(isQuick ? { runs: 1, count: 100_000 } : { runs: 5, count: 100_000 }),
  live: measureLiveMessage,
  'fan-out': () => measureFanOut(isQuick ? { runs: 1, rounds: 40 } : { runs: 5, rounds: 100 }),
  finding: () => measureFinding(isQuick ? { runs: 1, count: 5000 } : { runs: 5, count: 5000 }),
  search: () => measureSearching(isQuick ? { runs: 1, count: 50_000 } : { runs: 5, count: 50_000 }),
  serving: () => measureServing(isQuick ? { runs: 2, count: 200 } : { runs: 7, count: 450 }),
  casting: () => measureCasting(isQuick ? { runs: 1, count: 60 } : { runs: 5, count: 60 }),
  'first-frame': () => measureFirstFrame({ count: isQuick ? 3 : 12 }),
  cv: () => measureCv({ runs: isQuick ? 1 : 5 }),
  interactions: () => measureInteractions({ runs: isQuick ? 1 : 5 }),
  lighthouse: () => measureLighthouse({ runs: isQuick ? 1 : 3 }),
  growth: () => measureGrowth({ factors: isQuick ? [1, 10] : [1, 10, 100] }),
};
/** Run only on request: growth takes as long as all other parts together, and Lighthouse is fetched for each run. */
const ONLY_ON_REQUEST = ['growth', 'lighthouse'];

const unknown = only?.filter((name) => !(name in parts)) ?? [];
if (unknown.length > 0) {
  console.error(`Unknown part ${unknown.join(', ')}; the parts are ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}

const build = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

const machine = await describeMachine();
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (only ? !only.includes(name) : ONLY_ON_REQUEST.includes(name)) continue;
  console.error(`Measuring ${name} …`);
  const measured = await measure();
  // A run that is stopped has shown what it measured.
  console.error(toTable(measured));
  figures.push(...measured);
}

console.log(`\n${machine}\n\n${toTable(figures)}\n`);
const missed = figures.filter((figure) => !isMet(figure));
for (const { part, name } of missed) console.log(`Missed: ${part}: ${name}`);

/** Writes the table of a complete run. */
async function writeResults(file: string, command: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const text = `# What it costs

Written by \`${command}\` on ${day}: ${machine}.
Medians, with the least and the greatest of the runs. "Beside it" is the bare operation, measured in the same run.

${toTable(figures)}
`;
  await writeFile(new URL(file, import.meta.url), await format(text, { parser: 'markdown', printWidth: 120 }));
}

if (!isQuick && only === null) await writeResults('RESULTS.md', 'npm run bench');
if (!isQuick && only?.join() === 'growth') await writeResults('RESULTS-growth.md', 'npm run bench -- --only growth');
// Few runs on a machine that may be busy decide nothing about a bar.
process.exit(missed.length === 0 || isQuick ? 0 : 1);
