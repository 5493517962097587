import { mkdir, readdir, stat, writeFile, cp } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isFull } from '../support/quantity.ts';
import { makeBackup } from '#server/backup/make.ts';
import { readManifest } from '#server/backup/manifest.ts';
import { noteErasures, readErasures } from '#server/features/account/erasure-file.ts';
import { ask, ODD_KEY, ODD_NAME, useBackup } from './support/restore.ts';

const backedUp = useBackup();

test('restores rows, files and jobs, and drops mails and pushes that waited', async () => {
  const done = await backedUp.restore();
  expect(done).toMatchObject({ jobs: 1, droppedJobs: 2, droppedMails: 1, erasedAgain: 0, restorePoint: null });
  const { nell } = backedUp.testServer;
  await backedUp.withRestored(async (database) => {
    expect(await ask(database, 'select name, email from users where id = $1', [nell.id])).toEqual([
      { name: nell.name, email: nell.email },
    ]);
    const names = `select body ->> 'name' as name from section_rows where section = 'skill' and user_id = $1`;
    expect(await ask(database, names, [nell.id])).toEqual([{ name: ODD_NAME }]);
    expect(await ask(database, 'select state, last_code from mails')).toEqual([
      { state: 'dropped', last_code: 'restored' },
    ]);
    expect(await ask(database, 'select state, code from deliveries')).toEqual([{ state: 'dropped', code: 'restored' }]);
    expect(
      await ask(database, 'select type, mail_waits_since from notifications where user_id = $1', [nell.id]),
    ).toEqual([{ type: 'connection.requested', mail_waits_since: null }]);
    expect(
      await ask(database, `select task_identifier as name, key, attempts, max_attempts from graphile_worker.jobs`),
    ).toEqual([{ name: 'files.remove', key: 'a key', attempts: 0, max_attempts: 32_767 }]);
    expect(await ask(database, 'select payload from graphile_worker._private_jobs')).toEqual([
      { payload: { keys: [ODD_KEY] } },
    ]);
    const keys = await ask<{ key: string; size: string }>(database, 'select key, size_bytes as size from stored_files');
    expect(keys.length).toBeGreaterThan(0);
    for (const { key, size } of keys) {
      expect((await stat(path.join(backedUp.into, 'files', key.slice(0, 2), key))).size).toBe(Number(size));
    }
  });
  expect((await stat(backedUp.into)).mode & 0o777).toBe(0o700);
  expect((await readdir(backedUp.root)).sort()).toEqual(['data']);
});

test('gives the database another epoch and numbers that were never given before', async () => {
  const { rows } = await backedUp.testServer.database.pool.query('select epoch, link_secret from installation');
  const [last] = (await backedUp.testServer.database.pool.query('select max(id) as id from users')).rows as {
    id: string;
  }[];
  await backedUp.restore();
  await backedUp.withRestored(async (database) => {
    const [found] = await ask<{ epoch: string; link_secret: string }>(
      database,
      'select epoch, link_secret from installation',
    );
    expect(found!.epoch).not.toBe(rows[0].epoch);
    expect(found!.link_secret).toBe(rows[0].link_secret);
    const [next] = await ask<{ id: string }>(
      database,
      `insert into users (name, email, password_hash, slug, created_at) values ('Bo', 'bo@callboard.example', '', 'bo', now())
       returning id`,
    );
    expect(Number(next!.id)).toBeGreaterThanOrEqual(Number(last!.id) + 1_000_000);
    // Also where no number was given before.
    const [report] = await ask<{ id: string }>(
      database,
      `insert into reports (reporter_id, reported_id, reason, created_at) values ($1, $1, 'scam', now()) returning id`,
      [backedUp.testServer.nell.id],
    );
    expect(Number(report!.id)).toBeGreaterThan(1_000_000);
    // A device may know a version from after the backup. Every record has a higher one now.
    const versions = await ask<{ version: number }>(
      database,
      'select version from section_rows union select version from profiles',
    );
    expect(Math.min(...versions.map(({ version }) => version))).toBeGreaterThan(1_000_000);
    // Triggers and foreign keys are in place.
    await expect(ask(database, 'update section_rows set user_id = -1')).rejects.toMatchObject({ code: '23503' });
    await ask(database, `update profiles set stage_name = 'Nell B'`);
    expect((await ask(database, 'select from search_queue')).length).toBeGreaterThan(0);
  });
});

describe('accounts that were deleted after the backup', () => {
  const at = '2026-11-24T10:00:00.000Z';

  test('are deleted again and known from then on, and nobody else is', async () => {
    const { installation } = await readManifest(backedUp.backup);
    const known = path.join(backedUp.root, 'known');
    await mkdir(known);
    const user = Number(backedUp.testServer.moll.id);
    // Another Callboard numbers its people from 1 too.
    const foreign = { installation: 'f'.repeat(16), user: Number(backedUp.testServer.nell.id), at };
    await noteErasures(known, [foreign, { installation, user, at }]);
    // As after a crash in the middle of a line.
    await writeFile(path.join(known, 'erasures.jsonl'), '{"installation":"ab', { flag: 'a' });
    const done = await backedUp.restore({ erasureFolders: [known] });
    expect(done.erasedAgain).toBe(1);
    await backedUp.withRestored(async (database) => {
      expect(await ask(database, 'select id from users where id = $1', [user])).toEqual([]);
      expect(await ask(database, 'select id from profiles where user_id = $1', [user])).toEqual([]);
      expect(await ask(database, 'select id from users where id = $1', [foreign.user])).toHaveLength(1);
      const jobs = await ask<{ name: string }>(database, 'select task_identifier as name from graphile_worker.jobs');
      expect(jobs.map(({ name }) => name)).toContain('account.erase');
    });
    expect(await readErasures(backedUp.into)).toEqual([{ installation, user, at }]);
  });

  test('stay known when an older backup is restored, in which they are not yet', async () => {
    const { installation } = await readManifest(backedUp.backup);
    const erasure = { installation, user: Number(backedUp.testServer.nell.id) + 500_000, at };
    await noteErasures(backedUp.into, [erasure]);
    await mkdir(path.join(backedUp.into, 'files'));
    await backedUp.restore({ replace: true });
    expect(await readErasures(backedUp.into)).toEqual([erasure]);
    // A backup of this server notes them beside it again.
    expect(await backedUp.askRestored('select user_id::int as user from erasures')).toEqual([{ user: erasure.user }]);
  });

  test('leave their numbers to nobody else', async () => {
    const { installation } = await readManifest(backedUp.backup);
    const user = Number(backedUp.testServer.nell.id) + 2_000_000;
    await noteErasures(backedUp.root, [{ installation, user, at }]);
    await backedUp.restore({ erasureFolders: [backedUp.root] });
    const [next] = await backedUp.askRestored<{ id: string }>(
      `insert into users (name, email, password_hash, slug, created_at) values ('Bo', 'bo@callboard.example', '', 'bo', now())
       returning id`,
    );
    expect(Number(next!.id)).toBeGreaterThan(user);
  });

  test('are noted by the job that deletes them', async () => {
    const person = await backedUp.testServer.join();
    const body = { password: person.password };
    expect((await backedUp.testServer.call('DELETE /account', { token: person.token, body })).status).toBe(200);
    await backedUp.testServer.runJobs({ mayFail: 'files.remove' });
    const noted = await readErasures(backedUp.testServer.app.deps.config.dataDir);
    const { installation } = await readManifest(backedUp.backup);
    // A later backup tells those beside it.
    const { connection } = backedUp.testServer.database;
    await makeBackup({ connection, storage: backedUp.testServer.storage }, { to: backedUp.root });
    expect(await readErasures(backedUp.root)).toEqual(noted);
    expect(noted).toEqual([expect.objectContaining({ installation, user: Number(person.id) })]);
  });
});

if (isFull) {
  test('with --check, does everything but leave it there', async () => {
    await mkdir(backedUp.into);
    await writeFile(path.join(backedUp.into, 'thesis.txt'), 'years of work');
    expect((await backedUp.restore({ check: true })).rows).toBeGreaterThan(100);
    expect(await readdir(backedUp.root)).toEqual(['data']);
    expect(await readdir(backedUp.into)).toEqual(['thesis.txt']);
  });

  test('with --replace and --end-sessions, keeps what was there beside it and signs everybody out', async () => {
    await backedUp.restore();
    await backedUp.askRestored(`update users set name = 'Somebody'`);
    const inside = path.join(backedUp.into, 'backups', path.basename(backedUp.backup));
    await cp(backedUp.backup, inside, { recursive: true });
    const [sessions] = await backedUp.askRestored<{ n: number }>('select count(*)::int as n from sessions');
    expect(sessions!.n).toBeGreaterThan(1);
    const { restorePoint, endedSessions } = await backedUp.restore({
      backup: inside,
      replace: true,
      endSessions: true,
    });
    expect(endedSessions).toBe(sessions!.n);
    expect(restorePoint).toMatch(/data\.before-\d{8}T\d{6}Z$/);
    expect((await readdir(backedUp.root)).sort()).toEqual(['data', path.basename(restorePoint!)]);
    expect(await readdir(path.join(backedUp.into, 'backups'))).toEqual([path.basename(backedUp.backup)]);
    expect(await backedUp.askRestored(`select id from users where name = 'Somebody'`)).toEqual([]);
    const old = await backedUp.withRestored(
      (database) => ask(database, `select id from users where name <> 'Somebody'`),
      restorePoint!,
    );
    expect(old).toEqual([]);
  });

  test('puts back what was there when the last step fails', async () => {
    await backedUp.restore();
    const before = (await stat(backedUp.into)).ino;
    const failing = backedUp.restore({
      replace: true,
      progress: async (step) => {
        if (step.startsWith('Moving the restored data')) throw new Error('a cable came loose');
      },
    });
    await expect(failing).rejects.toThrow('a cable came loose');
    expect(await readdir(backedUp.root)).toEqual(['data']);
    expect((await stat(backedUp.into)).ino).toBe(before);
  });
}
