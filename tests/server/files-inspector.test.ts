import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openInspector, type Inspector } from '#server/features/media/inspect/inspector.ts';
import { FairQueue } from '#server/features/media/inspect/queue.ts';
import { FileRefused } from '#server/features/media/inspect/refused.ts';
import { projectRoot } from '#server/platform/paths.ts';
import { SERVER_BUNDLE } from '../../scripts/server-bundle.ts';
import { isFull } from '../support/quantity.ts';
import { m4a, packedObject, pdf, wavOfChunks } from './support/media-files.ts';
import { quietLog } from './support/quiet.ts';

const NELL = 1;
const MOLL = 2;

let folder = '';
const open: Inspector[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callboard-inspector-'));
});
afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));
afterAll(() => rm(folder, { recursive: true, force: true }));

function inspector(budgetMs?: number): Inspector {
  const opened = openInspector({ log: quietLog, ...(budgetMs !== undefined && { budgetMs }) });
  open.push(opened);
  return opened;
}

async function writeTempFile(bytes: Buffer): Promise<string> {
  const file = path.join(folder, `${crypto.randomUUID()}`);
  await writeFile(file, bytes);
  return file;
}

/** A small file that is expensive to inspect: a compressed, very long list of names. */
const heavy = (names = 2_000_000) => pdf(packedObject('', '/A'.repeat(names)));

test('returns the findings and rejects with the message of the check', async () => {
  const { inspect, kindOfContent } = inspector();
  const file = await writeTempFile(m4a());
  expect(await kindOfContent(NELL, file)).toBe('audio');
  expect(await inspect(NELL, file, 'audio')).toMatchObject({ type: 'audio/mp4', durationSeconds: 2 });
  await expect(inspect(NELL, file, 'document')).rejects.toThrow(FileRefused);
  await expect(inspect(NELL, file, 'document')).rejects.toThrow('Only .doc, .docx and .pdf documents');
});

test('reports its own errors differently from damaged files', async () => {
  await expect(inspector().inspect(NELL, path.join(folder, 'not-there'), 'audio')).rejects.toThrow('ENOENT');
});

test('keeps the main thread responsive while a file is inspected', async () => {
  const file = await writeTempFile(heavy(10_000_000));
  const startedAt = performance.now();
  const done = inspector()
    .inspect(NELL, file, 'document')
    .then(() => 'done');
  let turns = 0;
  let turnedAt = startedAt;
  let longestMs = 0;
  for (let state = 'busy'; state === 'busy'; turns += 1) {
    state = await Promise.race([done, nextTurn('busy')]);
    const now = performance.now();
    longestMs = Math.max(longestMs, now - turnedAt);
    turnedAt = now;
  }
  expect(turns).toBeGreaterThan(50);
  // On this thread, the inspection would take nearly all of the time in one turn.
  expect(longestMs).toBeLessThan((turnedAt - startedAt) / 2);
});

test('rejects a file that exceeds the time budget and continues with the next one', async () => {
  const { inspect } = inspector(1);
  const slow = await writeTempFile(heavy());
  await expect(inspect(NELL, slow, 'document')).rejects.toThrow(/takes too long to check/);
  await expect(inspect(NELL, slow, 'document')).rejects.toThrow(FileRefused);
  expect(await inspector().inspect(NELL, await writeTempFile(m4a()), 'audio')).toMatchObject({ extension: 'm4a' });
});

if (isFull) {
  test('applies the time budget to a recording of a million chunks while requests are answered', async () => {
    // As large as a file may be.
    const slow = await writeTempFile(wavOfChunks(1_250_000));
    const budgetMs = 300;
    const done = inspector(budgetMs)
      .inspect(NELL, slow, 'audio')
      .then(
        () => 'accepted',
        (error: unknown) => (error as Error).message,
      );
    let turns = 0;
    let outcome = 'busy';
    while ((outcome = await Promise.race([done, nextTurn('busy')])) === 'busy') turns += 1;
    expect(outcome).toMatch(/takes too long to check/);
    expect(turns).toBeGreaterThan(50);
  });
}

test('runs one file per person at a time and alternates between people', async () => {
  const queue = new FairQueue({ concurrency: 1, maxWaiting: 10, maxPerPerson: 4 });
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(name);
    await nextTurn();
  };
  await Promise.all([
    queue.run(NELL, work('nell 1')),
    queue.run(NELL, work('nell 2')),
    queue.run(NELL, work('nell 3')),
    queue.run(MOLL, work('moll 1')),
  ]);
  expect(order).toEqual(['nell 1', 'moll 1', 'nell 2', 'nell 3']);
});

test('rejects with 429 when the queue of a person or of everybody is full', async () => {
  const queue = new FairQueue({ concurrency: 1, maxWaiting: 3, maxPerPerson: 2 });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const running = [NELL, NELL, MOLL, MOLL].map((userId) => queue.run(userId, () => held));
  await expect(queue.run(NELL, () => held)).rejects.toMatchObject({ status: 429 });
  await expect(queue.run(3, () => held)).rejects.toMatchObject({ status: 429 });
  release();
  await Promise.all(running);
  expect(await queue.run(NELL, async () => 'free again')).toBe('free again');
});

test('never runs two files of one person in parallel, even with a free thread', async () => {
  const queue = new FairQueue({ concurrency: 2, maxWaiting: 10, maxPerPerson: 4 });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const started: string[] = [];
  const work = (name: string) => () => {
    started.push(name);
    return held;
  };
  const all = [
    queue.run(NELL, work('nell 1')),
    queue.run(NELL, work('nell 2')),
    queue.run(MOLL, work('moll 1')),
    queue.run(MOLL, work('moll 2')),
  ];
  await nextTurn();
  expect(started).toEqual(['nell 1', 'moll 1']);
  release();
  await Promise.all(all);
  expect(started).toHaveLength(4);
});

test('rejects one person with a full queue and accepts files of others', async () => {
  const queue = new FairQueue({ concurrency: 1, maxWaiting: 10, maxPerPerson: 2 });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const running = [NELL, NELL].map((userId) => queue.run(userId, () => held));
  const refused = queue.run(NELL, async () => 'accepted');
  const other = queue.run(MOLL, async () => 'accepted');
  release();
  await expect(refused).rejects.toMatchObject({ status: 429 });
  expect(await other).toBe('accepted');
  await Promise.all(running);
});

test('works from the production bundle', async () => {
  const outdir = path.join(projectRoot, 'node_modules/.cache/callboard-tests', `inspector-${process.pid}`);
  const { main: _, ...worker } = SERVER_BUNDLE.entryPoints;
  const inspectorSource = path.join(projectRoot, 'server/features/media/inspect/inspector.ts');
  try {
    await build({
      ...SERVER_BUNDLE,
      entryPoints: { main: inspectorSource, ...worker },
      outdir,
      outExtension: { '.js': '.mjs' },
    });
    const bundled = (await import(/* @vite-ignore */ path.join(outdir, 'main.mjs'))) as {
      openInspector: typeof openInspector;
    };
    const built = bundled.openInspector({ log: quietLog });
    open.push(built);
    expect(await built.inspect(NELL, await writeTempFile(m4a()), 'audio')).toMatchObject({ type: 'audio/mp4' });
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
});
