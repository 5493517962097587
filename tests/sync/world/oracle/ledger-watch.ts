import { markerIn } from '../markers.ts';
import type { FakeServer } from '../server/fake-server.ts';
import type { LedgerEntry } from '../server/fake-store.ts';
import type { World } from '../world.ts';
import type { Memory, Wish } from './memory.ts';
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
