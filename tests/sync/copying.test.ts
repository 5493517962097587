import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyOf } from '#db/copying.ts';
import { AccountDb } from '#db/database.ts';
import { create, type OutboxPorts } from '#sync/queue/outbox.ts';

let db: AccountDb;
let ports: OutboxPorts;
beforeEach(() => {
  db = new AccountDb('copying', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
  let made = 0;
  ports = {
    db,
    clock: { now: () => 1_800_000_000_000, after: () => () => undefined },
    chance: { random: () => 0, uuid: () => `uuid-${(made += 1)}` },
  };
});
afterEach(() => db.close());

test('copies the sections of a profile that was created on this device', async () => {
  const actor = { slug: 'actor-performer' };
  const profile = await create(ports, 'profile', null, { stage_name: 'Meera', profile_type: actor });
  await create(ports, 'skill', profile.id, { name: 'Kathak', level: 3 });
  // An acknowledgement stores the server id beside the local one.
  await db.ids.put({ local: profile.id, type: 'profile', server: '7' });
  const copied = await copyOf(db, profile.id, 'voice-artist', new Set(['skill']));
  expect(copied.rows).toEqual([{ type: 'skill', fields: { name: 'Kathak', level: 3 }, isSet: false }]);
});
