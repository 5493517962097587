import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readManifest, writeManifest, type Manifest } from '#server/backup/manifest.ts';
import { useBackup } from './support/restore.ts';

const backedUp = useBackup();

/** A copy of the backup that a test may damage. */
async function copyBackup(): Promise<string> {
  const copy = path.join(backedUp.root, 'copy');
  await cp(backedUp.backup, copy, { recursive: true });
  return copy;
}

/** Changes a manifest and makes its digest right again, as nobody does by accident. */
async function forge(folder: string, change: (manifest: Manifest) => object): Promise<void> {
  const manifest = await readManifest(folder);
  await writeFile(path.join(folder, 'manifest.json'), writeManifest({ ...manifest, ...change(manifest) } as Manifest));
}

describe('refuses, and changes nothing,', () => {
  const isUntouched = async (entries: string[] = []) =>
    expect((await readdir(backedUp.root)).filter((name) => name !== 'copy').sort()).toEqual(entries);

  test.each<[string, (copy: string) => Promise<unknown>, RegExp]>([
    [
      'a damaged byte of the rows',
      async (copy) => {
        const file = path.join(copy, 'database/public.users.copy.gz');
        const bytes = await readFile(file);
        bytes[Math.floor(bytes.length / 2)]! ^= 1;
        await writeFile(file, bytes);
      },
      /is damaged: the rows of public\.users are missing or differ\. .*Restore another backup/,
    ],
    [
      'rows of another time',
      async (copy) => {
        const [one, other] = ['public.languages', 'public.industries'].map((name) =>
          path.join(copy, 'database', `${name}.copy.gz`),
        );
        await cp(one!, other!);
      },
      /the rows of public\.industries are missing or differ/,
    ],
    [
      'missing rows',
      (copy) => rm(path.join(copy, 'database/public.profiles.copy.gz')),
      /rows of public\.profiles are missing/,
    ],
    [
      'a damaged file',
      async (copy) => {
        const [file] = (await readdir(path.join(copy, 'files'), { recursive: true, withFileTypes: true })).filter(
          (each) => each.isFile(),
        );
        const name = path.join(file!.parentPath, file!.name);
        const bytes = await readFile(name);
        bytes[0]! ^= 1;
        await rm(name);
        await writeFile(name, bytes);
      },
      /is damaged: the file [0-9a-f]{32}\S* is missing or differs/,
    ],
    [
      'missing files',
      (copy) => rm(path.join(copy, 'files'), { recursive: true }),
      /the file \S+ is missing or differs/,
    ],
    ['an edited list of files', (copy) => writeFile(path.join(copy, 'files.ndjson'), ''), /files\.ndjson differs/],
    ['missing jobs', (copy) => rm(path.join(copy, 'jobs.ndjson')), /jobs\.ndjson differs/],
    [
      'a truncated manifest',
      (copy) => truncate(path.join(copy, 'manifest.json'), 500),
      /manifest\.json is damaged or was edited/,
    ],
    [
      'an empty manifest',
      (copy) => truncate(path.join(copy, 'manifest.json'), 0),
      /manifest\.json is damaged or was edited/,
    ],
    [
      'an edited manifest',
      async (copy) => {
        const file = path.join(copy, 'manifest.json');
        await writeFile(file, (await readFile(file, 'utf8')).replace('"rows": ', '"rows": 1'));
      },
      /manifest\.json is damaged or was edited/,
    ],
    ['no manifest', (copy) => rm(path.join(copy, 'manifest.json')), /is not a backup: it has no manifest\.json/],
    [
      'a manifest of a newer format',
      (copy) => writeFile(path.join(copy, 'manifest.json'), '{"format": 2, "of": "the future"}'),
      /was made by a newer release\. Restore it with that release/,
    ],
    [
      'a database of a newer release',
      (copy) =>
        forge(copy, ({ migrations }) => ({ release: '9.0.0', migrations: [...migrations, { at: 9e12, hash: 'ab' }] })),
      /was made by a newer release \(9\.0\.0\)/,
    ],
    [
      'a database that this release never had',
      (copy) => forge(copy, () => ({ migrations: [{ at: 12, hash: 'ab' }] })),
      /of a database that this release does not know/,
    ],
    [
      'rows and a manifest of different databases',
      (copy) => forge(copy, () => ({ epoch: 'another' })),
      /cannot be loaded: its parts are of different databases/,
    ],
    [
      'a table that its version does not have',
      (copy) =>
        forge(copy, ({ tables }) => ({
          tables: tables.map((each) => ({ ...each, columns: [...each.columns, 'more'] })),
        })),
      /has other columns than in its version/,
    ],
    [
      'rows that refer to missing ones',
      async (copy) => {
        await writeFile(path.join(copy, 'database/public.users.copy.gz'), gzipSync(''));
        const none = { rows: 0, bytes: 0, sha256: createHash('sha256').digest('hex') };
        await forge(copy, ({ tables }) => ({
          tables: tables.map((each) => (each.name === 'public.users' ? { ...each, ...none } : each)),
        }));
      },
      /cannot be loaded: rows of \w+ refer to rows that it lacks/,
    ],
  ])('%s', async (_, damage, words) => {
    const copy = await copyBackup();
    await damage(copy);
    await expect(backedUp.restore({ backup: copy })).rejects.toThrow(words);
    await isUntouched();
  });

  test('a folder that is not empty', async () => {
    await mkdir(backedUp.into);
    await writeFile(path.join(backedUp.into, 'thesis.txt'), 'years of work');
    await expect(backedUp.restore()).rejects.toThrow(
      /is not empty\. Choose another folder with --into, or add --replace/,
    );
    await expect(backedUp.restore({ replace: true })).rejects.toThrow(/holds something other than a Callboard/);
    await isUntouched(['data']);
    expect(await readdir(backedUp.into)).toEqual(['thesis.txt']);
  });

  test('a folder whose server is running', async () => {
    await backedUp.restore();
    await backedUp.withRestored(async () => {
      await expect(backedUp.restore({ replace: true })).rejects.toThrow(/A server is running on \S+\. Stop it/);
    });
    await isUntouched(['data']);
  });
});
