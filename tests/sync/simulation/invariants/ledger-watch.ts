import { markerIn, markersIn } from '../markers.ts';
import type { FakeServer } from '../server/fake-server.ts';
import type { LedgerEntry } from '../server/fake-store.ts';
import type { World } from '../simulation.ts';
import type { Memory, Wish } from './intent-log.ts';
import { fail } from './violation.ts';

/** The ledger: at most once, no blind overwrite, the right person. */
export class LedgerWatch {
  readonly #memory: Memory;
  readonly #server: FakeServer;

  constructor({ memory, server }: World) {
    this.#memory = memory;
    this.#server = server;
  }

  onLedger(entry: LedgerEntry): void {
    if (entry.kind === 'create' && entry.device !== 'web' && !this.#server.isForeign) {
      this.#checkTwins(entry);
      this.#checkWhole(entry);
    }
    if (entry.kind === 'delete') this.#checkWanted(entry);
    if (entry.type === 'notification' && entry.device !== 'web') this.#checkLookedAt(entry);
    for (const [field, value] of Object.entries(entry.after)) {
      const marker = markerIn(value);
      if (marker === null) continue;
      if (entry.kind === 'create') this.#memory.noteMade(entry.device, marker, entry.id);
      const wish = this.#memory.wishOf(marker);
      const name = `${marker}:${field}`;
      if (wish && wish.userId !== entry.userId) {
        fail('14 account isolation', `${name} of ${wish.userId} changed ${entry.userId}'s ${entry.type}`);
      }
      if (entry.device === 'web') continue;
      if (!this.#server.isForeign) this.#checkOnce(name, entry);
      if (wish?.state === 'refused') fail('18 no false saved', `${name} was refused, yet the server has it`);
      if (entry.kind === 'update' && wish && !this.#server.isForeign) this.#checkSeen(entry, field, wish);
    }
  }

  /** However often a record is made again: never does a second one stand beside the first. */
  #checkTwins(entry: LedgerEntry): void {
    for (const [field, value] of Object.entries(entry.after)) {
      const marker = markerIn(value);
      if (marker === null) continue;
      for (const row of this.#server.store.rows.values()) {
        if (row.id === entry.id || row.type !== entry.type || row.userId !== entry.userId) continue;
        if (!markersIn(row.body[field]).includes(marker)) continue;
        if (this.#isWantedBeside(row.id, entry, marker)) continue;
        fail('2 at most once', `${entry.type} ${entry.id} was made with ${marker}:${field} beside ${row.id}`);
      }
    }
  }

  /** Two devices were each asked whether the record is to be made again, and on each the person said yes. */
  #isWantedBeside(other: string, entry: LedgerEntry, marker: number): boolean {
    const remakers = this.#memory.remade
      .filter(({ type, body }) => type === entry.type && markersIn(body).includes(marker))
      .map(({ device }) => device);
    return (
      remakers.some(({ name }) => name === entry.device) &&
      remakers.some((each) => each.name !== entry.device && this.#memory.allMadeWith(each, marker).includes(other))
    );
  }

  /** A record made again has every field the person saw, but for what they wrote since. */
  #checkWhole(entry: LedgerEntry): void {
    const markers = new Set(Object.values(entry.after).flatMap((value) => markersIn(value)));
    const wanted = this.#memory.remade.findLast(
      ({ device, type, body }) =>
        device.name === entry.device && type === entry.type && markersIn(body).some((marker) => markers.has(marker)),
    );
    if (!wanted) return;
    for (const [field, value] of Object.entries(wanted.body)) {
      if (value == null || entry.after[field] != null) continue;
      const isCleared = this.#memory.wishes.some((wish) => wish.marker > wanted.after && wish.fields[field] === null);
      if (!isCleared) fail('1 nothing lost', `${entry.type} ${entry.id} was made again without its ${field}`);
    }
  }

  /** What is deleted from a device its person wished away there, and has not taken that back. */
  #checkWanted(entry: LedgerEntry): void {
    const own = this.#memory.wishes.filter(
      (wish) =>
        wish.kind === 'delete' &&
        wish.device.name === entry.device &&
        wish.type === entry.type &&
        this.#memory.serverIdOf(wish) === entry.id,
    );
    if (entry.device === 'web' || own.length === 0 || own.some(({ state }) => state !== 'withdrawn')) return;
    fail('27 words from state', `${entry.type} ${entry.id} is deleted, though the person was told it is not`);
  }

  /** As read counts only what the person has had before their eyes. */
  #checkLookedAt({ id, userId }: LedgerEntry): void {
    if (!this.#memory.seenNews.get(userId)?.has(id)) {
      fail('27 words from state', `notification ${id} counts as read, and ${userId} never saw it`);
    }
  }

  #checkOnce(name: string, entry: LedgerEntry): void {
    const times = this.#server.store.applied.get(name) ?? 0;
    if (times > 1 + (this.#memory.allowance.get(name) ?? 0)) {
      fail('2 at most once', `${name} changed ${entry.type} ${entry.id} ${times} times`);
    }
  }

  /** A value another device wrote may only be overwritten by somebody who saw it. */
  #checkSeen(entry: LedgerEntry, field: string, wish: Wish): void {
    const old = entry.before[field];
    const oldMarker = markerIn(old);
    if (oldMarker === null || wish.seen.get(field)?.has(old)) return;
    const author = this.#memory.wishOf(oldMarker);
    if (author?.device === wish.device) return;
    fail('3 fold', `${wish.marker}:${field} overwrote ${String(old)}, which its author had never seen`);
  }

  onFile(digest: string, userId: string, as: string): void {
    const wish = this.#memory.wishes.find((one) => one.sha256 === digest);
    if (!wish) fail('16 upload integrity', `the server made a ${as} of bytes nobody picked`);
    if (wish.userId !== userId) fail('14 account isolation', `a file of ${wish.userId} became ${userId}'s ${as}`);
    const times = this.#server.store.files.filter((file) => file.sha256 === digest).length;
    if (!this.#server.isForeign && times > 1) {
      fail('2 at most once', `file of ~${wish.marker}~ became a ${as} ${times} times`);
    }
  }
}
