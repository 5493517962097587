import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFull } from '../support/quantity.ts';
import { runCommand } from './support/command.ts';
import { callServer, startServer, type ServerProcess } from './support/server-process.ts';

let dataDir = '';
let server: ServerProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-commands-'));
  server = await startServer({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

const join = async (name: string) => {
  const body = { name, email: `${name}@callboard.example`, password: 'the ghost light stays on' };
  return (await callServer(server.url, 'POST /register', { body })).body as { token: string; user: { id: string } };
};

if (isFull) {
  test('npm run reports prints the reports beside a running server', async () => {
    const reports = (...args: string[]) => runCommand('reports.ts', dataDir, ...args);
    const [ila, bela] = [await join('ila'), await join('bela')];
    expect(await reports()).toBe('No reports.\n');
    const body = { user_id: bela.user.id, reason: 'scam', text: 'Asked for 500 rupees.\nTwice.' };
    const sent = await callServer(server.url, 'POST /reports', { token: ila.token, body });
    expect(sent.status).toBe(201);
    const output = await reports();
    expect(output).toContain('Asks for money or personal documents');
    expect(output).toContain(`about bela <bela@callboard.example> (${bela.user.id})`);
    expect(output).toContain(`by    ila <ila@callboard.example> (${ila.user.id})`);
    expect(output).toContain('  | Asked for 500 rupees.\n  | Twice.');
    expect(await reports('2999-01-01')).toBe('No reports.\n');
    await expect(reports('yesterday')).rejects.toThrow('Give a date');
  });

  test('npm run offices verifies, lists and revokes offices', async () => {
    const offices = (...args: string[]) => runCommand('offices.ts', dataDir, ...args);
    await join('farah');
    await join('rege');
    expect(await offices()).toBe('No verified offices.\n');
    const name = 'Gulmohar Pictures';
    expect(
      await offices('--verify', 'Farah@callboard.example', '--name', name, '--domain', 'gulmohar.example'),
    ).toMatch(/^Verified #1 {2}Gulmohar Pictures, gulmohar\.example, person \d+, verified \d{4}-\d\d-\d\d\n$/);
    expect(await offices()).toContain('#1  Gulmohar Pictures');
    await expect(offices('--verify', 'rege@callboard.example', '--name', 'Gulm0har Pictures')).rejects.toThrow(
      'This looks like the name of a verified casting office',
    );
    await expect(offices('--verify', 'rege@callboard.example')).rejects.toThrow('Give the name of the office');
    await expect(offices('--verify', 'nobody@callboard.example', '--name', 'x')).rejects.toThrow('There is no account');
    await expect(offices('--revoke', 'all')).rejects.toThrow('Give the number of an office');
    expect(await offices('--revoke', '1')).toBe('Revoked #1\n');
    await expect(offices('--revoke', '1')).rejects.toThrow('There is no verified office #1');
  }, 60_000);
}

test('npm run reset-password and npm run jobs work with and without a running server', async () => {
  const resetPassword = (email: string) => runCommand('reset-password.ts', dataDir, email);
  await join('noor');
  const email = 'noor@callboard.example';
  const token = /^http:\/\/localhost:\d+\/reset#t=([\w-]{43})\n/.exec(await resetPassword(email))?.[1];
  const password = 'a lantern under the stairs';
  const reset = await callServer(server.url, 'POST /password/reset', { body: { token, password } });
  expect(reset.status).toBe(200);
  expect((await callServer(server.url, 'POST /login', { body: { email, password } })).status).toBe(200);
  expect(await runCommand('jobs.ts', dataDir)).toBe('No failed jobs.\n');
  await expect(runCommand('jobs.ts', dataDir, '--retry', 'first')).rejects.toThrow('Give the number of a job');
  await server.end('SIGTERM');
  expect(await resetPassword(email)).toContain('The link works once');
  await expect(resetPassword('nobody@callboard.example')).rejects.toThrow('There is no account with the address');
  await expect(runCommand('jobs.ts', dataDir, '--drop', '1')).rejects.toThrow('There is no waiting job #1');
}, 60_000);

if (isFull) {
  test('npm run backup and npm run restore say how to use them', async () => {
    const empty = path.join(dataDir, 'nothing');
    await expect(runCommand('backup.ts', empty)).rejects.toThrow(/There is no database in \S+\. Set DATA_DIR/);
    await expect(runCommand('backup.ts', dataDir, '--keep', 'all')).rejects.toThrow(
      '--keep takes how many backups to keep',
    );
    await expect(runCommand('backup.ts', dataDir, '--everything')).rejects.toThrow(/Unknown option '--everything'/);
    for (const args of [['somewhere'], [], ['a', 'b', '--into', 'c']]) {
      await expect(runCommand('restore.ts', dataDir, ...args)).rejects.toThrow(
        'Usage: npm run restore -- BACKUP --into DIR',
      );
    }
    await expect(runCommand('restore.ts', dataDir, empty, '--into', empty)).rejects.toThrow(/is not a backup/);
  }, 120_000);
}
