import { isRefused } from '#sync/queue/planner.ts';
import type { IdPair, MediaChunk, MediaFile, MirrorRecord, OutboxRow } from '#db/rows.ts';
import type { Device } from '../device.ts';
import { markerIn, wordsIn } from '../markers.ts';
import type { Simulation } from '../simulation.ts';
import type { NothingLost } from './nothing-lost.ts';
import { fail } from './violation.ts';

/**
 * Watches the disk: rows leave the outbox for a known reason, acknowledgements are atomic, and bytes stay while they
 * are needed.
 */
export class DiskWatch {
  readonly #simulation: Simulation;
  readonly #nothingLost: NothingLost;
  /** Last known outbox of each database, by idempotency key. */
  readonly #before = new Map<string, Map<string, OutboxRow>>();

  constructor(simulation: Simulation, nothingLost: NothingLost) {
    this.#simulation = simulation;
    this.#nothingLost = nothingLost;
  }

  onCommit(device: Device, database: string, stores: ReadonlySet<string>): void {
    const touchesOutbox = stores.has('outbox');
    if (touchesOutbox) this.#compare(device, database);
    if (touchesOutbox || stores.has('chunks') || stores.has('media')) this.#checkChunks(device, database);
  }

  forget(database: string): void {
    this.#before.delete(database);
  }

  #compare(device: Device, database: string): void {
    const { intentLog } = this.#simulation;
    const rows = new Map(device.disk.rows<OutboxRow>(database, 'outbox').map((row) => [row.op, row]));
    const before = this.#before.get(database) ?? new Map<string, OutboxRow>();
    this.#before.set(database, rows);
    const present = new Set<string>();
    for (const row of rows.values()) {
      if (row.kind === 'create') intentLog.retarget(device, row);
      if (row.reason === 'conflict' && before.get(row.op)?.reason !== 'conflict') this.#checkConflict(device, row);
      for (const { marker, name } of wordsIn(row.patch)) {
        present.add(name);
        if (intentLog.getIntent(marker)?.state === 'refused') {
          fail('18 no false saved', `~${marker}~ was reported as not saved, but is on the disk`);
        }
      }
    }
    for (const [op, old] of before) {
      const now = rows.get(op);
      if (now === old) continue;
      if (!now && old.parent !== null && intentLog.discarded.has(old.parent)) intentLog.abandonWords(old);
      this.#simulation.recordTransition(device, old, now);
      for (const { marker, field, name } of wordsIn(old.patch)) {
        if (!present.has(name)) this.#nothingLost.checkAccounted(marker, field, `row ${old.kind} ${old.type}`);
      }
      const isReplaced = [...rows.values()].some((row) => row.seq === old.seq);
      if (!now && !isReplaced && old.kind === 'delete') this.#nothingLost.checkDeleted(device, database, old);
      if (!now && !isReplaced && old.kind === 'create') this.#checkAcknowledged(device, database, old);
    }
    for (const [op, row] of rows) if (!before.has(op)) this.#simulation.recordTransition(device, undefined, row);
  }

  /** Fails if a conflict asks the person to choose between two values that this device wrote. */
  #checkConflict(device: Device, row: OutboxRow): void {
    if (row.kind !== 'update') return;
    const { intentLog, server } = this.#simulation;
    for (const [field, mine] of Object.entries(row.patch)) {
      const theirs = row.theirs?.body[field];
      const author = intentLog.getIntent(markerIn(theirs) ?? 0);
      if (theirs === mine || theirs === row.base[field] || author?.device !== device) continue;
      // The change came in a sealed file of another device.
      const own = intentLog.getIntent(markerIn(mine) ?? 0);
      if (own?.device !== device || own.corrects?.some((earlier) => earlier.device !== device)) continue;
      // It came back from there, and does not know what was written here meanwhile.
      if (row.openedAt !== undefined) continue;
      // Another tab wrote it while the form was open.
      if ([own, ...(own.corrects ?? [])].some(({ isSlow }) => isSlow)) continue;
      // The browser deleted the store that knew this value.
      if (author.state === 'taken') continue;
      // The network delivered an old write again, and a server without idempotency keys applied it again.
      if (server.isBasic && (server.store.applied.get(`${author.marker}:${field}`) ?? 0) > 1) continue;
      fail(
        '3 convergence',
        `${row.type} ${field}: conflict between ${String(mine)} and ${String(theirs)}, both written on this device`,
      );
    }
  }

  #checkAcknowledged(device: Device, database: string, row: OutboxRow): void {
    const { intentLog, server } = this.#simulation;
    // A refused create leaves only when the person gives it up. The device that sealed it may have sent it meanwhile.
    if (isRefused(row)) return;
    const words = wordsIn(row.patch);
    if (words.length === 0 || !words.every(({ name }) => server.store.applied.has(name))) return;
    const made = words.flatMap(({ marker }) => intentLog.getAllCreatedWith(device, marker));
    const pair = device.disk.rows<IdPair>(database, 'ids').find((one) => one.local === row.target);
    // A server without idempotency keys may have created it twice. Either record is correct.
    const serverId = made.find((id) => id === pair?.server) ?? made.at(-1);
    if (serverId === undefined || !server.store.row(row.type, serverId)) return;
    if (words.some(({ name }) => intentLog.abandoned.has(name))) return;
    const record = device.disk
      .rows<MirrorRecord>(database, 'records')
      .find((one) => one.type === row.type && one.id === serverId);
    if (pair?.server !== serverId || !record) {
      fail('8 atomic ack', `create of ${row.type} ${serverId} left without ${record ? 'its id' : 'its record'}`);
    }
  }

  #checkChunks(device: Device, database: string): void {
    const rows = device.disk.rows<OutboxRow>(database, 'outbox');
    if (rows.length === 0) return;
    const files = device.disk.rows<MediaFile>(database, 'media');
    for (const file of files) {
      const user = rows.find((row) => row.deps.includes(file.id) || row.target === file.id);
      if (!user || file.state === 'importing') continue;
      const chunks = device.disk.rows<MediaChunk>(database, 'chunks').filter((chunk) => chunk.media === file.id);
      const size = chunks.reduce((sum, chunk) => sum + chunk.bytes.byteLength, 0);
      if (size !== file.size) {
        fail('8 atomic ack', `chunks of ${file.name} were released while ${user.kind} ${user.type} still needs them`);
      }
    }
  }
}
