import type { IdPair, MediaFile, OutboxRow } from '#db/rows.ts';
import type { Device } from '../device.ts';
import { markerIn, markersIn } from '../markers.ts';
import type { FakeServer } from '../server/fake-server.ts';
import type { World } from '../simulation.ts';
import type { Memory, Wish } from './intent-log.ts';
import { fail } from './violation.ts';

/** The first promise: what the person was told is saved is on the server, on the disk, superseded or given up. */
export class NothingLost {
  readonly #memory: Memory;
  readonly #server: FakeServer;
  /** Key of a delete that has left the outbox → length of the ledger then. */
  readonly #deletesOver = new Map<string, number>();

  constructor({ memory, server }: World) {
    this.#memory = memory;
    this.#server = server;
  }

  /** A value that is in no outbox row any more must be on the server, or given up by the person. */
  checkAccounted(marker: number, field: string, where: string): void {
    const name = `${marker}:${field}`;
    const { applied, absorbed } = this.#server.store;
    if (applied.has(name) || absorbed.has(name) || this.#memory.dropped.has(name)) return;
    const wish = this.#memory.wishOf(marker);
    if (!wish || wish.state === 'withdrawn' || wish.state === 'taken') return;
    if (this.#memory.isSuperseded(wish, field)) return;
    fail('1 nothing lost', `${name} left ${where}, and neither the server nor a later act has it`);
  }

  /** A delete that has left the outbox has happened, or was given up. */
  checkDeleted(device: Device, database: string, row: OutboxRow): void {
    this.#deletesOver.set(row.op, this.#server.store.ledger.length);
    const wish = this.#memory.wishes.findLast(
      (one) => one.kind === 'delete' && one.device === device && one.target === row.target,
    );
    if (!wish || this.#memory.isTakenBack(wish) || this.#memory.dropped.has(`delete:${row.op}`)) return;
    const pair = device.disk.rows<IdPair>(database, 'ids').find((one) => one.local === row.target);
    const serverId = pair?.server ?? (/^\d+$/.test(row.target) ? row.target : this.#memory.serverIdOf(wish));
    if (serverId === null) return;
    if (this.#server.store.row(row.type, serverId)) {
      fail('1 nothing lost', `the delete of ${row.type} ${serverId} is gone and the record still there`);
    }
  }

  /** Every value the person was told is saved is on the server, on the disk, superseded or given up. */
  check(): void {
    for (const wish of this.#memory.wishes) {
      if (wish.state !== 'accepted') continue;
      const rows = wish.device.outbox(wish.userId);
      for (const [field, value] of Object.entries(wish.fields)) {
        if (markerIn(value) !== wish.marker) continue;
        const isWaiting = rows.some((row) => markersIn(row.patch[field]).includes(wish.marker));
        if (!isWaiting) this.checkAccounted(wish.marker, field, `${wish.device.name} (${wish.kind} ${wish.type})`);
      }
      if (wish.kind === 'delete') this.#checkDeleteKept(wish, rows);
      if (wish.news) this.#checkNewsKept(wish.news, rows);
      if (wish.sha256 !== undefined) this.#checkFileKept(wish, rows);
    }
  }

  /** What was looked at counts as read on the server, or waits to. */
  #checkNewsKept(news: readonly string[], rows: readonly OutboxRow[]): void {
    const waiting = new Set(rows.flatMap(({ kind, patch }) => (kind === 'seen' ? (patch.ids as string[]) : [])));
    for (const id of news) {
      const isRead = this.#server.store.row('notification', id)?.body['read_at'] !== null;
      if (isRead || waiting.has(id) || this.#memory.dropped.has(`seen:${id}`)) continue;
      fail('1 nothing lost', `notification ${id} was looked at, and counts as new`);
    }
  }

  #checkDeleteKept(wish: Wish, rows: OutboxRow[]): void {
    const serverId = this.#memory.serverIdOf(wish);
    if (serverId === null || !this.#server.store.row(wish.type, serverId)) return;
    if (this.#server.isForeign && this.#isTwin(serverId, wish)) return;
    const isWaiting = rows.some(
      (row) => row.kind === 'delete' && (row.target === wish.target || row.target === serverId),
    );
    if (
      !isWaiting &&
      wish.op !== null &&
      !this.#memory.isTakenBack(wish) &&
      !this.#memory.dropped.has(`delete:${wish.op}`)
    ) {
      fail('1 nothing lost', `the delete of ${wish.type} ${serverId} was accepted and is nowhere`);
    }
  }

  /** A request that comes twice, or that is under way while a server without keys is looked at, makes a twin. */
  #isTwin(serverId: string, wish: Wish): boolean {
    const { ledger } = this.#server.store;
    const made = ledger.filter((one) => one.kind === 'create' && one.type === wish.type);
    const markers = Object.values(made.find((one) => one.id === serverId)?.after ?? {}).map(markerIn);
    const twins = made.filter((one) =>
      Object.values(one.after).some((value) => markers.includes(markerIn(value) ?? 0)),
    );
    const madeAt = ledger.findIndex((one) => one.kind === 'create' && one.type === wish.type && one.id === serverId);
    return twins.length > 1 || madeAt >= (this.#deletesOver.get(wish.op ?? '') ?? Infinity);
  }

  #checkFileKept(wish: Wish, rows: OutboxRow[]): void {
    const { store } = this.#server;
    if (store.files.some((file) => file.sha256 === wish.sha256) || this.#memory.dropped.has(`file:${wish.sha256}`))
      return;
    const files = wish.device.disk.rows<MediaFile>(wish.device.dbName(wish.userId), 'media');
    const file = files.find((one) => one.sha256 === wish.sha256);
    if (file && rows.some((row) => row.deps.includes(file.id) || row.target === file.id)) return;
    // Of two portraits picked before either is stored, the one that is stored last stays.
    const later = this.#memory.wishes.some(
      (one) =>
        (one.marker > wish.marker || (one.toldAt ?? 0) > (wish.toldAt ?? Infinity)) &&
        one.device === wish.device &&
        one.kind === wish.kind &&
        one.target === wish.target &&
        one.state !== 'refused',
    );
    const isRemoved = this.#memory.wishes.some(
      (one) =>
        one.kind === 'delete' && one.device === wish.device && this.#memory.keyOf(one) === this.#memory.keyOf(wish),
    );
    if ((wish.kind === 'avatar' && later) || (wish.kind === 'photo' && isRemoved)) return;
    fail('1 nothing lost', `the ${wish.kind} ~${wish.marker}~ was accepted and is nowhere`);
  }
}
