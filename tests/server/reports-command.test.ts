import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/platform/paths.ts';
import { callServer, startServer } from './support/server-process.ts';

test('prints the reports by a command beside a running server', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-reports-'));
  const { DATABASE_URL: _, ...inherited } = process.env;
  const command = async (...args: string[]) => {
    const run = promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', path.join(projectRoot, 'scripts/reports.ts'), ...args],
      { env: { ...inherited, DATA_DIR: dataDir }, cwd: projectRoot },
    );
    return (await run).stdout;
  };
  const server = await startServer({ DATA_DIR: dataDir });
  try {
    const join = async (name: string) => {
      const body = { name, email: `${name}@callboard.example`, password: 'the ghost light stays on' };
      return (await callServer(server.url, 'POST /register', { body })).body as { token: string; user: { id: string } };
    };
    const [ila, bela] = [await join('ila'), await join('bela')];
    expect(await command()).toBe('No reports.\n');
    const body = { user_id: bela.user.id, reason: 'scam', text: 'Asked for 500 rupees.\nTwice.' };
    const sent = await callServer(server.url, 'POST /reports', { token: ila.token, body });
    expect(sent.status).toBe(201);
    const output = await command();
    expect(output).toContain('Asks for money or personal documents');
    expect(output).toContain(`about bela <bela@callboard.example> (${bela.user.id})`);
    expect(output).toContain(`by    ila <ila@callboard.example> (${ila.user.id})`);
    expect(output).toContain('  | Asked for 500 rupees.\n  | Twice.');
    expect(await command('2999-01-01')).toBe('No reports.\n');
    await expect(command('yesterday')).rejects.toThrow('Give a date');
  } finally {
    await server.end('SIGTERM');
  }
  await rm(dataDir, { recursive: true, force: true });
});
