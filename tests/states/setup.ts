import { AccountDb, accountDbName } from '#db/database.ts';
import { writeSession } from '#db/device.ts';
import type { PickedFile, Scene, Stored } from './fixture.ts';

/** Runs before the app, in the browser: makes this site's storage what the scene says, then opens the app there. */

declare const SCENE: Scene;
declare const PERSON: { id: string; name: string; email: string };

const BORN_AT = 1;

async function emptied(): Promise<void> {
  const stores = await indexedDB.databases();
  for (const { name } of stores) {
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name!);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error ?? new Error(`${name} stays`));
    });
  }
  localStorage.clear();
}

async function putFile(db: AccountDb, { picture, offset = 0, ...file }: PickedFile): Promise<void> {
  const answer = await fetch(picture);
  const bytes = await answer.arrayBuffer();
  const type = answer.headers.get('content-type') ?? 'image/jpeg';
  const whole = { sha256: '', chunks: 1, createdAt: BORN_AT, size: bytes.byteLength, type };
  await db.media.put({ ...whole, ...file, offset, ...(type.startsWith('image/') && { thumb: bytes }) });
  await db.chunks.put({ media: file.id, n: 0, bytes });
}

async function fill(stored: Stored): Promise<void> {
  const db = new AccountDb(accountDbName('', PERSON.id), PERSON.id);
  await db.open();
  await db.meta.put({ k: 'born', at: BORN_AT });
  if (!SCENE.isNewDevice) {
    await db.cursors.put({ resource: 'sync', value: 'all' });
    await db.meta.put({ k: 'pulled', at: BORN_AT });
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

async function begin(): Promise<void> {
  const wishes = new URLSearchParams(location.search);
  await emptied();
  const theme = wishes.get('theme');
  if (theme) localStorage.setItem('theme', theme);
  if (!SCENE.isVisitor) {
    localStorage.setItem('token', 'scene');
    await writeSession({ token: 'scene', userId: PERSON.id, user: PERSON, apiBase: '' });
    await fill(SCENE.stored ?? {});
  }
  sessionStorage.setItem('letters', wishes.get('letters') ?? '100');
  location.replace(SCENE.path);
}

begin().catch((error: unknown) => {
  document.body.textContent = `The scene could not begin: ${String(error)}`;
});
