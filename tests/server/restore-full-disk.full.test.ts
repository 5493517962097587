import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/platform/paths.ts';
import { useBackup } from './support/restore.ts';

const backedUp = useBackup();

/**
 * Runs a tool with a disk of this size at `folder`, which only its process sees. Needs user namespaces.
 * @returns what it says, and what is left on the disk
 */
async function runOnSmallDisk(folder: string, size: string, command: string): Promise<{ said: string; left: string }> {
  const script = `mount -t tmpfs -o size=${size} tmpfs ${folder} && { node --import tsx ${command}; ls -A ${folder}; }`;
  const child = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script], {
    cwd: projectRoot,
    env: { ...process.env, DATA_DIR: backedUp.root },
  });
  const [left, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { said, left };
}

// PostgreSQL's own files do not fit on the first. On the others, it comes to different steps.
test.each(['20m', '40m', '41m', '42m', '43m', '44m'])(
  'a disk of %s that is full is said in one line, and nothing is left on it',
  async (size) => {
    const disk = await mkdtemp(path.join(tmpdir(), 'callboard-disk-'));
    const command = `scripts/restore.ts ${backedUp.backup} --into ${path.join(disk, 'data')}`;
    const { said, left } = await runOnSmallDisk(disk, size, command);
    expect(said).toMatch(/^There is no space left beside \S+; nothing was changed\. Free some/m);
    expect(left).toBe('');
    await rm(disk, { recursive: true });
  },
  120_000,
);
