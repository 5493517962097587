import type { OutboxRow } from '#db/rows.ts';
import type { Device } from '../device.ts';
import { markerIn, markersIn } from '../markers.ts';
import type { LedgerEntry } from '../server/fake-store.ts';
import type { World } from '../simulation.ts';
import { waitingForPerson } from './lanes.ts';
import type { Wish } from './intent-log.ts';
import { fail } from './violation.ts';

/** The connection that wishes to accept name. */
const connectionIn = (wishes: readonly Wish[]): unknown => wishes[0]?.fields['connection'];

/** No row rests but for a reason the person can see. */
export function checkVisible(device: Device, userId: string): void {
  const rows = device.outbox(userId);
  const { poison } = device.world.server;
  const isPoisoned = (row: OutboxRow) => markersIn(row.patch).some((marker) => poison.has(marker));
  const waiting = waitingForPerson(rows, (row) => row.state === 'attention' || isPoisoned(row));
  for (const row of rows) {
    if (waiting.has(row)) continue;
    const error = JSON.stringify(row.lastError ?? null);
    const what = `${device.name}: ${row.kind} ${row.type} rests as ${row.state} after ${row.tries} tries (${error})`;
    fail('4 visible or moving', what);
  }
}

/**
 * A profile is saved or not as its person last wished it, a request accepted is, where no other device had a hand in it
 * and every wish was heard; and the server never changed it more often than it was wished for.
 */
export function checkWishes({ memory, server }: World): void {
  const { store } = server;
  const groups = new Map<string, Wish[]>();
  for (const wish of memory.wishes) {
    if (wish.kind !== 'save' && wish.kind !== 'accept') continue;
    const name = `${wish.userId} ${wish.kind} ${wish.type} ${wish.target}`;
    groups.set(name, [...(groups.get(name) ?? []), wish]);
  }
  for (const [name, wishes] of groups) {
    const { kind, target } = wishes[0]!;
    const type = kind === 'save' ? wishes[0]!.type : 'connection';
    const about = (one: LedgerEntry) =>
      one.type === type && one.id === (kind === 'save' ? target : connectionIn(wishes));
    const entries = store.ledger
      .filter((one) => about(one) && (one.device !== 'web' || one.kind === 'delete'))
      // A request that was accepted may be ended; that is another wish.
      .filter((one) => kind === 'save' || one.device === 'web' || one.kind !== 'delete');
    const isByWeb = (one: LedgerEntry) => one.device === 'web';
    const changes = entries.filter((one) => !isByWeb(one)).length;
    if (changes > wishes.length) {
      fail('2 at most once', `${name}: ${wishes.length} wishes made ${changes} changes`);
    }
    const isOthers = entries.some(isByWeb) || new Set(wishes.map((one) => one.device)).size > 1;
    const isHeard = wishes.every((one) => one.state === 'accepted' || one.state === 'refused');
    const last = wishes.findLast((one) => one.state === 'accepted');
    if (!last || isOthers || !isHeard || memory.dropped.has(`${kind}:${target}`)) continue;
    const isSo =
      kind === 'save'
        ? (store.row(type, String(target)) !== undefined) === last.fields['saved']
        : store.row(type, String(connectionIn(wishes)))?.body['status'] === 'accepted';
    if (!isSo)
      fail('3 fold', `${name}: the last wish ~${last.marker}~ ${JSON.stringify(last.fields)} is not what came of it`);
  }
}

/** What one device alone wrote is what the server has. */
export function checkLastWins({ memory, server }: World): void {
  const { store } = server;
  for (const row of store.rows.values()) {
    for (const [field, value] of Object.entries(row.body)) {
      const entries = store.ledger.filter((one) => one.type === row.type && one.id === row.id && field in one.after);
      const writers = new Set(entries.filter((one) => one.n > 0).map((one) => one.device));
      if (writers.size > 1) continue;
      const marker = markerIn(value);
      if (marker === null) continue;
      const wish = memory.wishOf(marker);
      // Another device that brings a deleted record back writes what it knows of it.
      if (!wish || (writers.size === 1 && !writers.has(wish.device.name))) continue;
      if (memory.dropped.has(`${marker}:${field}`)) continue;
      const key = memory.keyOf(wish);
      const later = memory.wishes.find(
        (one) =>
          one.marker > marker &&
          one.state === 'accepted' &&
          one.device === wish.device &&
          memory.keyOf(one) === key &&
          markerIn(one.fields[field]) === one.marker &&
          !memory.dropped.has(`${one.marker}:${field}`),
      );
      if (later && store.applied.has(`${later.marker}:${field}`)) {
        fail('5 lane order', `${row.type} ${row.id}.${field} ended as ~${marker}~ though ~${later.marker}~ came later`);
      }
    }
  }
}
