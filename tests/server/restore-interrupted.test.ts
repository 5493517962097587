import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openTarget } from '#server/backup/folders.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-target-'));
  return () => rm(root, { recursive: true, force: true });
});

/** Leaves what a killed restore leaves that had this number, and begins another restore. */
async function restoreAfter(pid: number): Promise<string[]> {
  await mkdir(path.join(root, `data.new-${pid}`, 'of-the-killed-one'), { recursive: true });
  await openTarget(path.join(root, 'data'), { replace: false, check: false });
  const entries = await readdir(root, { recursive: true });
  return entries.sort();
}

/** A process that runs until the test ends. */
async function startProcess(...args: string[]): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'console.log(); setInterval(() => {}, 1000)', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  // Before, it still has the command of this process.
  await once(child.stdout, 'data');
  return child.pid!;
}

const FRESH = [`data.new-${process.pid}`, `data.new-${process.pid}/files`];

// In a container the numbers of processes begin at 1 again.
test('what a killed restore left is cleared up when this process has its number', async () => {
  expect(await restoreAfter(process.pid)).toEqual(FRESH);
});

test('what a killed restore left is cleared up when another program has its number', async () => {
  expect(await restoreAfter(await startProcess('npm', 'run', 'restore'))).toEqual(FRESH);
});

test.runIf(existsSync('/proc/self/task'))(
  'what a killed restore left is cleared up when a thread of a restore has its number',
  async () => {
    const pid = await startProcess('scripts/restore.ts');
    const thread = (await readdir(`/proc/${pid}/task`)).map(Number).find((each) => each !== pid);
    expect(await restoreAfter(thread!)).toEqual(FRESH);
  },
);

test('a restore that is running is waited for', async () => {
  const pid = await startProcess('--', 'scripts/restore.ts');
  await expect(restoreAfter(pid)).rejects.toThrow(`Process ${pid} restores into ${root}/data already`);
});
