import type { IdPair, MediaFile, OutboxRow } from '#db/rows.ts';
import type { Device } from '../device.ts';
import type { SeenNotification } from '#sync/queue/mark-seen.ts';
import { markerIn, markersIn } from '../markers.ts';
import type { FakeServer } from '../server/fake-server.ts';
import type { Simulation } from '../simulation.ts';
import type { IntentLog, Intent } from './intent-log.ts';
import { fail } from './violation.ts';

/** The first invariant: everything confirmed as saved is on the server, on the disk, superseded or abandoned. */
export class NothingLost {
  readonly #intentLog: IntentLog;
  readonly #server: FakeServer;
  /** Length of the ledger when a delete left the outbox, by key. */
  readonly #deletesOver = new Map<string, number>();

  constructor({ intentLog, server }: Simulation) {
    this.#intentLog = intentLog;
    this.#server = server;
  }

  /** Fails if a value that left the outbox is not on the server, superseded or abandoned. */
  checkAccounted(marker: number, field: string, where: string): void {
    const name = `${marker}:${field}`;
    const { applied, absorbed } = this.#server.store;
    if (applied.has(name) || absorbed.has(name) || this.#intentLog.abandoned.has(name)) return;
    const intent = this.#intentLog.getIntent(marker);
    if (!intent || intent.state === 'withdrawn' || intent.state === 'taken') return;
    if (this.#intentLog.isSuperseded(intent, field)) return;
    fail('1 nothing lost', `${name} left ${where}, but is neither on the server nor superseded`);
  }

  /** Fails if a delete left the outbox and neither happened nor was abandoned. */
  checkDeleted(device: Device, database: string, row: OutboxRow): void {
    this.#deletesOver.set(row.op, this.#server.store.ledger.length);
    const intent = this.#intentLog.intents.findLast(
      (one) => one.kind === 'delete' && one.device === device && one.target === row.target,
    );
    if (!intent || this.#intentLog.isWithdrawn(intent) || this.#intentLog.abandoned.has(`delete:${row.op}`)) return;
    // The same step queued another delete of the record in place of a refused one.
    const rows = device.disk.rows<OutboxRow>(database, 'outbox');
    if (rows.some((one) => one.op !== row.op && one.kind === 'delete' && one.target === row.target)) return;
    const pair = device.disk.rows<IdPair>(database, 'ids').find((one) => one.local === row.target);
    const serverId = pair?.server ?? (/^\d+$/.test(row.target) ? row.target : this.#intentLog.getServerId(intent));
    if (serverId === null) return;
    // This device had the create of a sealed file, refused, and never heard that another one has corrected it.
    const made = this.#server.store.ledger.find((entry) => entry.kind === 'create' && entry.id === serverId);
    if (pair === undefined && row.target !== serverId && made?.device !== device.name) {
      this.#intentLog.abandoned.add(`delete:${intent.op}`);
      return;
    }
    if (this.#server.store.row(row.type, serverId)) {
      fail('1 nothing lost', `the delete of ${row.type} ${serverId} left the outbox, but the record still exists`);
    }
  }

  /** Checks every value that the app confirmed as saved. */
  check(): void {
    for (const intent of this.#intentLog.intents) {
      if (intent.state !== 'accepted') continue;
      // The device is lost, and its changes are in the file.
      if (intent.device.isLost && this.#intentLog.unopened.has(intent.device)) continue;
      const holders = this.#intentLog.getHolders(intent.device);
      const rows = holders.flatMap((device) => device.outbox(intent.userId));
      for (const [field, value] of Object.entries(intent.fields)) {
        if (markerIn(value) !== intent.marker) continue;
        const isWaiting = rows.some((row) => markersIn(row.patch[field]).includes(intent.marker));
        if (!isWaiting)
          this.checkAccounted(intent.marker, field, `${intent.device.name} (${intent.kind} ${intent.type})`);
      }
      if (intent.kind === 'delete') this.#checkDeleteKept(intent, rows);
      if (intent.notifications) this.#checkNotificationsKept(intent.notifications, rows);
      if (intent.sha256 !== undefined) this.#checkFileKept(intent, rows);
    }
  }

  /** Fails if a seen notification is neither read on the server nor waiting to be marked. */
  #checkNotificationsKept(seen: readonly SeenNotification[], rows: readonly OutboxRow[]): void {
    const waiting = new Set(rows.flatMap(({ kind, patch }) => (kind === 'seen' ? (patch.ids as string[]) : [])));
    for (const { id, created_at } of seen) {
      const { read_at, created_at: raised } = this.#server.store.row('notification', id)?.body ?? {};
      if (read_at !== null || raised !== created_at || waiting.has(id) || this.#intentLog.abandoned.has(`seen:${id}`))
        continue;
      fail('1 nothing lost', `notification ${id} was seen, but counts as new`);
    }
  }

  #checkDeleteKept(intent: Intent, rows: OutboxRow[]): void {
    const serverId = this.#intentLog.getServerId(intent);
    if (serverId === null || !this.#server.store.row(intent.type, serverId)) return;
    if (this.#server.isBasic && this.#isTwin(serverId, intent)) return;
    // A repeated delete replaces the earlier one and is checked itself.
    const latest = this.#intentLog.intents.findLast(
      (one) => one.kind === 'delete' && one.device === intent.device && one.target === intent.target,
    );
    if (latest !== intent) return;
    // A sealed file may have brought another local id of the record.
    const ids = [intent.target, serverId];
    const isWaiting = rows.some(
      (row) =>
        row.kind === 'delete' &&
        (ids.includes(row.target) || this.#intentLog.getServerIdOfTarget(intent.device, row.target) === serverId),
    );
    if (
      !isWaiting &&
      intent.op !== null &&
      !this.#intentLog.isWithdrawn(intent) &&
      !this.#intentLog.abandoned.has(`delete:${intent.op}`)
    ) {
      fail('1 nothing lost', `the delete of ${intent.type} ${serverId} was confirmed and is lost`);
    }
  }

  /**
   * Tells whether the record is a duplicate. A server without idempotency keys creates one if a request arrives twice
   * or is under way during an existence check.
   */
  #isTwin(serverId: string, intent: Intent): boolean {
    const { ledger } = this.#server.store;
    const made = ledger.filter((one) => one.kind === 'create' && one.type === intent.type);
    const markers = Object.values(made.find((one) => one.id === serverId)?.after ?? {}).map(markerIn);
    const twins = made.filter((one) =>
      Object.values(one.after).some((value) => markers.includes(markerIn(value) ?? 0)),
    );
    const madeAt = ledger.findIndex((one) => one.kind === 'create' && one.type === intent.type && one.id === serverId);
    return twins.length > 1 || madeAt >= (this.#deletesOver.get(intent.op ?? '') ?? Infinity);
  }

  #checkFileKept(intent: Intent, rows: OutboxRow[]): void {
    const { store } = this.#server;
    if (
      store.files.some((file) => file.sha256 === intent.sha256) ||
      this.#intentLog.abandoned.has(`file:${intent.sha256}`)
    )
      return;
    const files = this.#intentLog
      .getHolders(intent.device)
      .flatMap((device) => device.disk.rows<MediaFile>(device.dbName(intent.userId), 'media'));
    const file = files.find((one) => one.sha256 === intent.sha256);
    if (file && rows.some((row) => row.deps.includes(file.id) || row.target === file.id)) return;
    // Of two portraits picked before either is stored, the one stored last stays.
    const later = this.#intentLog.intents.some(
      (one) =>
        (one.marker > intent.marker || (one.savedAt ?? 0) > (intent.savedAt ?? Infinity)) &&
        one.device === intent.device &&
        one.kind === intent.kind &&
        one.target === intent.target &&
        one.state !== 'refused',
    );
    const isRemoved = this.#intentLog.intents.some(
      (one) =>
        one.kind === 'delete' &&
        this.#intentLog.isShared(one.device, intent.device) &&
        this.#intentLog.getKey(one) === this.#intentLog.getKey(intent),
    );
    if ((intent.kind === 'avatar' && later) || (intent.kind === 'photo' && isRemoved)) return;
    fail('1 nothing lost', `the ${intent.kind} ~${intent.marker}~ was confirmed and is lost`);
  }
}
