import { AccountDb, accountDbName } from '#db/database.ts';
import { type DeviceSession, writeSession } from '#db/device.ts';
import { KNOWN_TYPES } from '#sync/pull/pull.ts';
import type { FileFixture, Fixture, StoreContents } from './fixture.ts';

/** Runs in the browser before the app: fills this site's storage from the fixture, then opens the app. */

declare const FIXTURE: Fixture;
declare const PERSON: DeviceSession['user'];

const CREATED_AT = 1;

async function clearStorage(): Promise<void> {
  const stores = await indexedDB.databases();
  for (const { name } of stores) {
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name!);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error ?? new Error(`${name} could not be deleted`));
    });
  }
  localStorage.clear();
}

async function putFile(db: AccountDb, { picture, offset = 0, ...file }: FileFixture): Promise<void> {
  const answer = await fetch(picture);
  const bytes = await answer.arrayBuffer();
  const type = answer.headers.get('content-type') ?? 'image/jpeg';
  const whole = { sha256: '', chunks: 1, createdAt: CREATED_AT, size: bytes.byteLength, type };
  await db.media.put({ ...whole, ...file, offset, ...(type.startsWith('image/') && { thumb: bytes }) });
  await db.chunks.put({ media: file.id, n: 0, bytes });
}

async function fillStore(stored: StoreContents): Promise<void> {
  const db = new AccountDb(accountDbName('', PERSON.id), PERSON.id);
  await db.open();
  await db.meta.put({ k: 'born', at: CREATED_AT });
  if (!FIXTURE.isNewDevice) {
    await db.cursors.put({ resource: 'sync', value: 'all', types: KNOWN_TYPES });
    await db.meta.put({ k: 'pulled', at: CREATED_AT });
    const value = { keys: true, versions: true, uploads: true, sync: true };
    await db.meta.put({ k: 'features', value });
  }
  for (const file of stored.files ?? []) await putFile(db, file);
  await db.records.bulkPut([...(stored.records ?? [])]);
  for (const row of stored.outbox ?? []) await db.outbox.add(row);
  await db.messages.bulkPut([...(stored.messages ?? [])]);
  await db.visited.bulkPut([...(stored.visited ?? [])]);
  await db.meta.bulkPut([...(stored.meta ?? [])]);
  db.close();
}

async function setUp(): Promise<void> {
  const options = new URLSearchParams(location.search);
  await clearStorage();
  const theme = options.get('theme');
  if (theme) localStorage.setItem('theme', theme);
  if (!FIXTURE.isVisitor) {
    localStorage.setItem('token', 'fixture');
    await writeSession({ token: 'fixture', userId: PERSON.id, user: PERSON, apiBase: '' });
    await fillStore(FIXTURE.stored ?? {});
  }
  sessionStorage.setItem('letters', options.get('letters') ?? '100');
  location.replace(FIXTURE.path);
}

setUp().catch((error: unknown) => {
  document.body.textContent = `The fixture failed to set up: ${String(error)}`;
});
