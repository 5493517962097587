import type { IdPair, MediaChunk, MediaFile, MirrorRecord, OutboxRow } from '#db/rows.ts';
import type { Device } from './device.ts';
import { fingerprintOf, markersOf } from './fake-server.ts';
import type { LedgerEntry } from './fake-store.ts';
import { markerIn, markersIn } from './markers.ts';
import type { Exchange } from './network.ts';
import type { World } from './world.ts';

/** A broken promise of the engine, by the number of the invariant it breaks. */
export class Violation extends Error {
  readonly rule: string;
  constructor(rule: string, what: string) {
    super(`${rule}: ${what}`);
    this.rule = rule;
  }
}

/** One act of the person that wrote something, as the oracle remembers it. */
export interface Wish {
  marker: number;
  device: Device;
  userId: string;
  type: string;
  kind: 'create' | 'update' | 'delete' | 'photo' | 'avatar' | 'save' | 'connect' | 'accept';
  /** Canonical id on that device; null until a create has answered. */
  target: string | null;
  op: string | null;
  fields: Record<string, unknown>;
  /** What stood there, as far as the person could see, by field. */
  seen: Map<string, Set<unknown>>;
  /** Of the file, for photos and avatars. */
  sha256?: string;
  /** unsure: the page died, or the connection broke, before the person heard. */
  state: 'asked' | 'accepted' | 'refused' | 'unsure' | 'withdrawn';
}

interface Snapshot {
  rows: Map<string, OutboxRow>;
}

/** The smallest unit whose order matters, by what the row is about and not by what the engine says. */
export function laneOf(row: OutboxRow): string {
  return `${row.kind === 'upload' || row.kind === 'avatar' ? row.kind : row.type}:${row.target}`;
}

/** The connection that wishes to accept name. */
const connectionIn = (wishes: readonly Wish[]): unknown => wishes[0]?.fields['connection'];

/** Rows that wait for the person, or behind one that does. */
export function waitingForPerson(rows: readonly OutboxRow[], isStuck: (row: OutboxRow) => boolean): Set<OutboxRow> {
  const waiting = new Set<OutboxRow>();
  const stuck = new Set<string>();
  const inOrder = [...rows].sort((a, b) => a.seq - b.seq);
  // An upload may be queued after what hangs on it, so one pass is not enough.
  for (let before = -1; before !== waiting.size;) {
    before = waiting.size;
    for (const row of inOrder) {
      if (!isStuck(row) && !stuck.has(laneOf(row)) && !row.deps.some((dep) => stuck.has(dep))) continue;
      waiting.add(row);
      stuck.add(laneOf(row)).add(row.target);
    }
  }
  return waiting;
}

/** Watches disks, wire and ledger, and throws a Violation at the first broken promise. Asks the engine nothing. */
export class Oracle {
  readonly wishes: Wish[] = [];
  /** `marker:field` that the person gave up. */
  readonly dropped = new Set<string>();
  /** `marker:field` → how often it may be applied beyond once. */
  readonly allowance = new Map<string, number>();
  /** Files that may become a picture more than once. */
  readonly fileAllowance = new Map<string, number>();
  violation: Violation | null = null;
  readonly #world: World;
  readonly #keys = new Map<string, string>();
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #patched = new Map<string, number>();
  readonly #disturbed = new Map<string, number>();
  /** `device marker` → server ids of the records that came into being there with it: it may be made again. */
  readonly #createdBy = new Map<string, string[]>();
  /** Key of a delete that has left the outbox → length of the ledger then. */
  readonly #deletesOver = new Map<string, number>();
  #largestPatch = 0;

  constructor(world: World) {
    this.#world = world;
  }

  fail(rule: string, what: string): never {
    throw new Violation(rule, what);
  }

  /** Runs a check that may be called from inside the engine's own stack: the violation is kept for the run loop. */
  #guard(check: () => void): void {
    if (this.violation) return;
    try {
      check();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      this.violation = error;
    }
  }

  // --- What the person did ---

  wish(wish: Omit<Wish, 'marker' | 'state' | 'op'>): Wish {
    const made: Wish = { ...wish, marker: this.wishes.length + 1, state: 'asked', op: null };
    this.wishes.push(made);
    return made;
  }

  wishOf(marker: number): Wish | undefined {
    return this.wishes[marker - 1];
  }

  /** Wishes whose words a row carries. */
  wishesIn(row: OutboxRow): Wish[] {
    return markersIn(row.patch).flatMap((marker) => this.wishOf(marker) ?? []);
  }

  /** Wishes of the same device for the record of a row. */
  wishesBehind(device: Device, row: OutboxRow): Wish[] {
    const keys = new Set(this.wishesIn(row).map((wish) => this.keyOf(wish)));
    return this.wishes.filter((wish) => wish.device === device && keys.has(this.keyOf(wish)));
  }

  #noteMade(name: string, id: string): void {
    this.#createdBy.set(name, [...(this.#createdBy.get(name) ?? []), id]);
  }

  /** The record that a device last made with a marker; null where it made none. */
  madeWith(device: Device, marker: number): string | null {
    return this.#createdBy.get(`${device.name} ${marker}`)?.at(-1) ?? null;
  }

  /** Sending a change again says that its record is wanted after all: a delete not yet sent is none any more. */
  takeBackDelete(device: Device, userId: string, row: OutboxRow): void {
    const rows = device.disk.rows<OutboxRow>(device.dbName(userId), 'outbox');
    const taken = rows.filter((one) => one.kind === 'delete' && laneOf(one) === laneOf(row) && !one.sentOnce);
    for (const one of taken) this.dropped.add(`delete:${one.op}`);
  }

  serverIdOfTarget(device: Device, target: string): string | null {
    for (const one of this.wishes) {
      const id = one.target === target && one.device === device ? this.madeWith(device, one.marker) : null;
      if (id !== null) return id;
    }
    return null;
  }

  /** The person discards a change: with a record that was never made, everything that hangs on it may go too. */
  giveUp(device: Device, userId: string, row: OutboxRow): void {
    const database = device.dbName(userId);
    const rows = device.disk.rows<OutboxRow>(database, 'outbox');
    const attached = rows.filter(
      (one) => one.kind !== 'upload' && row.kind === 'upload' && one.deps.includes(row.target),
    );
    const falls = new Set([row, ...attached]);
    for (const one of rows)
      if ([...falls].some((top) => top.kind === 'create' && one.target === top.target)) falls.add(one);
    for (const one of falls) {
      this.drop(one);
      if (one.kind === 'delete') this.dropped.add(`delete:${one.op}`);
      if (one.kind === 'save' || one.kind === 'accept') this.dropped.add(`${one.kind}:${one.target}`);
      for (const id of [one.target, ...one.deps]) {
        const file = device.disk.rows<MediaFile>(database, 'media').find((each) => each.id === id);
        if (file) this.dropped.add(`file:${file.sha256}`);
      }
    }
  }

  /** Everything written so far to a record that was never made is given up with it. */
  giveUpRecord(device: Device, target: string): void {
    for (const wish of this.wishes) {
      if (wish.device !== device || wish.target !== target) continue;
      for (const field of Object.keys(wish.fields)) this.dropped.add(`${wish.marker}:${field}`);
    }
  }

  drop(row: OutboxRow): void {
    for (const [field, value] of Object.entries(row.patch)) {
      for (const marker of markersIn(value)) this.dropped.add(`${marker}:${field}`);
    }
  }

  allowAgain(body: Record<string, unknown>): void {
    for (const [field, value] of Object.entries(body)) {
      for (const marker of markersIn(value)) {
        const name = `${marker}:${field}`;
        this.allowance.set(name, (this.allowance.get(name) ?? 0) + 1);
      }
    }
  }

  // --- The ledger: at most once, no blind overwrite, the right person ---

  onLedger(entry: LedgerEntry): void {
    this.#guard(() => {
      for (const [field, value] of Object.entries(entry.after)) {
        const marker = markerIn(value);
        if (marker === null) continue;
        if (entry.kind === 'create') this.#noteMade(`${entry.device} ${marker}`, entry.id);
        const wish = this.wishOf(marker);
        const name = `${marker}:${field}`;
        if (wish && wish.userId !== entry.userId) {
          this.fail('14 account isolation', `${name} of ${wish.userId} changed ${entry.userId}'s ${entry.type}`);
        }
        if (entry.device === 'web') continue;
        if (!this.#world.server.isForeign) this.#checkOnce(name, entry);
        if (wish?.state === 'refused') this.fail('18 no false saved', `${name} was refused, yet the server has it`);
        if (entry.kind === 'update' && wish && !this.#world.server.isForeign) this.#checkSeen(entry, field, wish);
      }
    });
  }

  #checkOnce(name: string, entry: LedgerEntry): void {
    const times = this.#world.server.store.applied.get(name) ?? 0;
    if (times > 1 + (this.allowance.get(name) ?? 0)) {
      this.fail('2 at most once', `${name} changed ${entry.type} ${entry.id} ${times} times`);
    }
  }

  /** A value another device wrote may only be overwritten by somebody who saw it. */
  #checkSeen(entry: LedgerEntry, field: string, wish: Wish): void {
    const old = entry.before[field];
    const oldMarker = markerIn(old);
    if (oldMarker === null || wish.seen.get(field)?.has(old)) return;
    const author = this.wishOf(oldMarker);
    if (author?.device === wish.device) return;
    this.fail('3 fold', `${wish.marker}:${field} overwrote ${String(old)}, which its author had never seen`);
  }

  onFile(digest: string, userId: string, as: string): void {
    this.#guard(() => {
      const wish = this.wishes.find((one) => one.sha256 === digest);
      if (!wish) this.fail('16 upload integrity', `the server made a ${as} of bytes nobody picked`);
      if (wish.userId !== userId)
        this.fail('14 account isolation', `a file of ${wish.userId} became ${userId}'s ${as}`);
      const times = this.#world.server.store.files.filter((file) => file.sha256 === digest).length;
      if (!this.#world.server.isForeign && times > 1 + (this.fileAllowance.get(digest) ?? 0)) {
        this.fail('2 at most once', `file of ~${wish.marker}~ became a ${as} ${times} times`);
      }
    });
  }

  // --- The wire: lane order, frozen payloads, no local ids, the right credentials ---

  onSend(exchange: Exchange): void {
    this.#guard(() => {
      const { request, sender, userId } = exchange;
      const tokenUser = sender.device.session?.userId;
      for (const marker of markersOf(request)) {
        const wish = this.wishOf(marker);
        if (wish && wish.userId !== tokenUser) {
          this.fail('14 account isolation', `~${marker}~ of ${wish.userId} left under ${String(tokenUser)}'s token`);
        }
      }
      this.#checkIds(exchange);
      if (request.method === 'PATCH' && request.body.kind === 'bytes') this.#countPatch(exchange);
      const key = request.headers['idempotency-key'];
      const device = this.#world.devices.find((one) => one === sender.device)!;
      const rows = device.disk.rows<OutboxRow>(device.dbName(userId), 'outbox');
      const row = this.#rowOf(rows, exchange);
      if (key !== undefined) this.#checkFrozen(key, exchange);
      if (row) this.#checkOrder(row, rows, exchange, device);
    });
  }

  #rowOf(rows: OutboxRow[], { request }: Exchange): OutboxRow | undefined {
    const key = request.headers['idempotency-key'];
    if (key !== undefined) return rows.find((row) => row.op === key);
    if (request.method === 'GET' || request.method === 'HEAD') return undefined;
    const markers = markersOf(request);
    return rows.find((row) => markersIn(row.patch).some((marker) => markers.includes(marker)));
  }

  #checkFrozen(key: string, { request }: Exchange): void {
    const print = `${fingerprintOf(request)}\n${request.headers['if-match'] ?? ''}`;
    const before = this.#keys.get(key);
    if (before !== undefined && before !== print) {
      this.fail('9 frozen after send', `key ${key} first carried\n${before}\nand then\n${print}`);
    }
    this.#keys.set(key, print);
  }

  #checkOrder(row: OutboxRow, rows: OutboxRow[], { request }: Exchange, device: Device): void {
    const before = rows.find((one) => laneOf(one) === laneOf(row) && one.seq < row.seq);
    if (before) {
      this.fail(
        '5 lane order',
        `${row.kind} ${row.type} ${row.seq} was sent before ${before.kind} ${before.seq} (${before.state})`,
      );
    }
    if (!row.sentOnce) this.fail('9 frozen after send', `${row.kind} ${row.type} left before the disk knew of it`);
    if (row.state === 'attention') this.fail('4 visible or moving', `${row.op} was sent while it waits for the person`);
    if (row.kind === 'upload' || request.path.startsWith('/uploads')) return;
    const database = device.dbName(this.#userOf(row, device));
    const ids = new Set(device.disk.rows<IdPair>(database, 'ids').map((pair) => pair.local));
    const media = new Map(device.disk.rows<MediaFile>(database, 'media').map((file) => [file.id, file]));
    for (const dep of row.deps) {
      if (ids.has(dep) || this.#world.server.isForeign) continue;
      const file = media.get(dep);
      if (file && (file.state === 'sent' || file.state === 'kept')) continue;
      if (rows.some((one) => one.target === dep || one.op === dep)) {
        this.fail('5 lane order', `${row.kind} ${row.type} was sent before what it depends on (${dep})`);
      }
    }
  }

  #userOf(row: OutboxRow, device: Device): string {
    const users = [...this.#world.server.store.users.keys()];
    return users.find((user) => device.disk.rows<OutboxRow>(device.dbName(user), 'outbox').includes(row)) ?? '';
  }

  #checkIds({ request }: Exchange): void {
    const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|L_/i;
    if (!request.path.startsWith('/uploads') && uuid.test(request.path)) {
      this.fail('7 no phantom id', `${request.method} ${request.path}`);
    }
    const entries: [string, unknown][] =
      request.body.kind === 'json'
        ? Object.entries(JSON.parse(request.body.text) as Record<string, unknown>)
        : request.body.kind === 'form'
          ? request.body.fields
          : [];
    for (const [field, value] of entries) {
      if (/^(client_id|upload_ids?)(\[\])?$/.test(field)) continue;
      if (uuid.test(JSON.stringify(value ?? null))) {
        this.fail('7 no phantom id', `${request.method} ${request.path} has ${field} ${JSON.stringify(value)}`);
      }
    }
  }

  #countPatch({ request, fault }: Exchange): void {
    if (request.body.kind !== 'bytes') return;
    const id = request.path.split('/').at(-1)!;
    this.#largestPatch = Math.max(this.#largestPatch, request.body.bytes.length);
    this.#patched.set(id, (this.#patched.get(id) ?? 0) + request.body.bytes.length);
    if (fault) this.disturb(id);
  }

  /** Something happened that may cost an upload one chunk sent again. */
  disturb(uploadId: string): void {
    this.#disturbed.set(uploadId, (this.#disturbed.get(uploadId) ?? 0) + 1);
  }

  disturbAll(): void {
    for (const id of this.#world.server.store.uploads.keys()) this.disturb(id);
  }

  /** The server lost bytes: all of them go again. */
  uploadsForgotten(): void {
    this.#patched.clear();
  }

  checkResent(): void {
    for (const upload of this.#world.server.store.attached) {
      const resent = (this.#patched.get(upload.id) ?? 0) - upload.length;
      const allowed = (this.#disturbed.get(upload.id) ?? 0) * this.#largestPatch;
      if (upload.bytes.length === upload.length && resent > allowed) {
        this.fail('16 upload integrity', `${resent} bytes went twice; ${allowed} would be excusable`);
      }
    }
  }

  // --- The disk: nothing lost, atomic acknowledgement, chunks kept ---

  onCommit(device: Device, database: string, stores: ReadonlySet<string>): void {
    this.#guard(() => {
      const touchesOutbox = stores.has('outbox');
      if (touchesOutbox) this.#compare(device, database);
      if (touchesOutbox || stores.has('chunks') || stores.has('media')) this.#checkChunks(device, database);
    });
  }

  #compare(device: Device, database: string): void {
    const rows = new Map(device.disk.rows<OutboxRow>(database, 'outbox').map((row) => [row.op, row]));
    const before = this.#snapshots.get(database)?.rows ?? new Map<string, OutboxRow>();
    this.#snapshots.set(database, { rows });
    const present = new Set<string>();
    for (const row of rows.values()) {
      if (row.kind === 'create') this.#retarget(device, row);
      if (row.reason === 'conflict' && before.get(row.op)?.reason !== 'conflict') this.#checkConflict(device, row);
      for (const [field, value] of Object.entries(row.patch)) {
        for (const marker of markersIn(value)) {
          present.add(`${marker}:${field}`);
          if (this.wishOf(marker)?.state === 'refused') {
            this.fail('18 no false saved', `~${marker}~ was refused to the person, yet it is on the disk`);
          }
        }
      }
    }
    for (const [op, old] of before) {
      const now = rows.get(op);
      if (now === old) continue;
      this.#world.noteMove(old, now);
      for (const [field, value] of Object.entries(old.patch)) {
        for (const marker of markersIn(value)) {
          if (!present.has(`${marker}:${field}`)) this.#checkAccounted(marker, field, `row ${old.kind} ${old.type}`);
        }
      }
      const isReplaced = [...rows.values()].some((row) => row.seq === old.seq);
      if (!now && !isReplaced && old.kind === 'delete') this.#checkDeleted(device, database, old);
      if (!now && !isReplaced && old.kind === 'create') this.#checkAcknowledged(device, database, old);
    }
    for (const [op, row] of rows) if (!before.has(op)) this.#world.noteMove(undefined, row);
  }

  /** Nobody conflicts with themselves. */
  #checkConflict(device: Device, row: OutboxRow): void {
    if (row.kind !== 'update') return;
    for (const [field, mine] of Object.entries(row.patch)) {
      const theirs = row.theirs?.body[field];
      const author = this.wishOf(markerIn(theirs) ?? 0);
      if (theirs === mine || theirs === row.base[field] || author?.device !== device) continue;
      this.fail(
        '3 fold',
        `${row.type} ${field}: asks between ${String(mine)} and ${String(theirs)}, both written here`,
      );
    }
  }

  /** A record made again goes by a new id, and one whose page died before it answered has one all the same. */
  #retarget(device: Device, row: OutboxRow): void {
    for (const wish of this.wishesIn(row)) {
      if (wish.device !== device || wish.type !== row.type || wish.target === row.target) continue;
      const key = this.keyOf(wish);
      // All found before any moves: the key hangs on the target of the wish that made the record.
      const same = this.wishes.filter((one) => one.target !== null && one.device === device && this.keyOf(one) === key);
      if (wish.target !== null) for (const one of same) one.target = row.target;
      wish.target = row.target;
    }
  }

  /** A value that is in no outbox row any more must be on the server, or given up by the person. */
  #checkAccounted(marker: number, field: string, where: string): void {
    const name = `${marker}:${field}`;
    const { applied, absorbed } = this.#world.server.store;
    if (applied.has(name) || absorbed.has(name) || this.dropped.has(name)) return;
    const wish = this.wishOf(marker);
    if (!wish || wish.state === 'withdrawn') return;
    if (this.isSuperseded(wish, field)) return;
    this.fail('1 nothing lost', `${name} left ${where}, and neither the server nor a later act has it`);
  }

  /** Whether the same person on the same device later wrote the field again or removed the record. */
  isSuperseded(wish: Wish, field: string): boolean {
    const key = this.keyOf(wish);
    return this.wishes.some((later) => {
      if (later.marker <= wish.marker || later.device !== wish.device || later.state === 'withdrawn') return false;
      if (later.state === 'refused' || this.keyOf(later) !== key) return false;
      return later.kind === 'delete' || field in later.fields;
    });
  }

  /** One name for a record on one device, whichever id it goes by. */
  keyOf(wish: Wish): string {
    return `${wish.userId}/${wish.type === 'about_me' ? 'profile' : wish.type}/${this.serverIdOf(wish) ?? String(wish.target)}`;
  }

  /** The server's id of what a wish is about, by the ledger; null while the server has never seen it. */
  serverIdOf(wish: Wish): string | null {
    if (wish.target === null) return null;
    return /^\d+$/.test(wish.target) ? wish.target : this.serverIdOfTarget(wish.device, wish.target);
  }

  /** A delete was undone, or a later edit said that the record is wanted after all. */
  #isTakenBack(wish: Wish): boolean {
    if (wish.state === 'withdrawn' || wish.state === 'unsure') return true;
    const key = this.keyOf(wish);
    return this.wishes.some(
      (later) =>
        later.marker > wish.marker &&
        later.device === wish.device &&
        later.kind === 'update' &&
        this.keyOf(later) === key,
    );
  }

  #checkDeleted(device: Device, database: string, row: OutboxRow): void {
    this.#deletesOver.set(row.op, this.#world.server.store.ledger.length);
    const wish = this.wishes.findLast(
      (one) => one.kind === 'delete' && one.device === device && one.target === row.target,
    );
    if (!wish || this.#isTakenBack(wish) || this.dropped.has(`delete:${row.op}`)) return;
    const pair = device.disk.rows<IdPair>(database, 'ids').find((one) => one.local === row.target);
    const serverId = pair?.server ?? (/^\d+$/.test(row.target) ? row.target : this.serverIdOf(wish));
    if (serverId === null) return;
    if (this.#world.server.store.row(row.type, serverId)) {
      this.fail('1 nothing lost', `the delete of ${row.type} ${serverId} is gone and the record still there`);
    }
  }

  #checkAcknowledged(device: Device, database: string, row: OutboxRow): void {
    const values = Object.entries(row.patch).flatMap(([field, value]) =>
      markersIn(value).map((marker) => `${marker}:${field}`),
    );
    if (values.length === 0 || !values.every((name) => this.#world.server.store.applied.has(name))) return;
    const made = markersIn(row.patch).flatMap((marker) => this.#createdBy.get(`${device.name} ${marker}`) ?? []);
    const pair = device.disk.rows<IdPair>(database, 'ids').find((one) => one.local === row.target);
    // A server without keys may have made it twice: any of the two will do.
    const serverId = made.find((id) => id === pair?.server) ?? made.at(-1);
    if (serverId === undefined || !this.#world.server.store.row(row.type, serverId)) return;
    if (values.some((name) => this.dropped.has(name))) return;
    const record = device.disk
      .rows<MirrorRecord>(database, 'records')
      .find((one) => one.type === row.type && one.id === serverId);
    if (pair?.server !== serverId || !record) {
      this.fail('8 atomic ack', `create of ${row.type} ${serverId} left without ${record ? 'its id' : 'its record'}`);
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
        this.fail(
          '8 atomic ack',
          `chunks of ${file.name} were released while ${user.kind} ${user.type} still needs them`,
        );
      }
    }
  }

  // --- At rest ---

  /** Every value the person was told is saved is on the server, on the disk, superseded or given up. */
  checkNothingLost(): void {
    for (const wish of this.wishes) {
      if (wish.state !== 'accepted') continue;
      const database = wish.device.dbName(wish.userId);
      const rows = wish.device.disk.rows<OutboxRow>(database, 'outbox');
      for (const [field, value] of Object.entries(wish.fields)) {
        if (markerIn(value) !== wish.marker) continue;
        const isWaiting = rows.some((row) => markersIn(row.patch[field]).includes(wish.marker));
        if (!isWaiting) this.#checkAccounted(wish.marker, field, `${wish.device.name} (${wish.kind} ${wish.type})`);
      }
      if (wish.kind === 'delete') this.#checkDeleteKept(wish, rows);
      if (wish.sha256 !== undefined) this.#checkFileKept(wish, rows);
    }
  }

  #checkDeleteKept(wish: Wish, rows: OutboxRow[]): void {
    const serverId = this.serverIdOf(wish);
    if (serverId === null || !this.#world.server.store.row(wish.type, serverId)) return;
    if (this.#world.server.isForeign && this.#isTwin(serverId, wish)) return;
    const isWaiting = rows.some(
      (row) => row.kind === 'delete' && (row.target === wish.target || row.target === serverId),
    );
    if (!isWaiting && wish.op !== null && !this.#isTakenBack(wish) && !this.dropped.has(`delete:${wish.op}`)) {
      this.fail('1 nothing lost', `the delete of ${wish.type} ${serverId} was accepted and is nowhere`);
    }
  }

  /** A request that comes twice, or that is under way while a server without keys is looked at, makes a twin. */
  #isTwin(serverId: string, wish: Wish): boolean {
    const { ledger } = this.#world.server.store;
    const made = ledger.filter((one) => one.kind === 'create' && one.type === wish.type);
    const markers = Object.values(made.find((one) => one.id === serverId)?.after ?? {}).map(markerIn);
    const twins = made.filter((one) =>
      Object.values(one.after).some((value) => markers.includes(markerIn(value) ?? 0)),
    );
    const madeAt = ledger.findIndex((one) => one.kind === 'create' && one.type === wish.type && one.id === serverId);
    return twins.length > 1 || madeAt >= (this.#deletesOver.get(wish.op ?? '') ?? Infinity);
  }

  #checkFileKept(wish: Wish, rows: OutboxRow[]): void {
    const { store } = this.#world.server;
    if (store.files.some((file) => file.sha256 === wish.sha256) || this.dropped.has(`file:${wish.sha256}`)) return;
    const files = wish.device.disk.rows<MediaFile>(wish.device.dbName(wish.userId), 'media');
    const file = files.find((one) => one.sha256 === wish.sha256);
    if (file && rows.some((row) => row.deps.includes(file.id) || row.target === file.id)) return;
    const later = this.wishes.some(
      (one) =>
        one.marker > wish.marker &&
        one.device === wish.device &&
        one.kind === wish.kind &&
        one.target === wish.target &&
        one.state !== 'refused',
    );
    const isRemoved = this.wishes.some(
      (one) => one.kind === 'delete' && one.device === wish.device && this.keyOf(one) === this.keyOf(wish),
    );
    if ((wish.kind === 'avatar' && later) || (wish.kind === 'photo' && isRemoved)) return;
    this.fail('1 nothing lost', `the ${wish.kind} ~${wish.marker}~ was accepted and is nowhere`);
  }

  /** No row rests but for a reason the person can see. */
  checkVisible(device: Device, userId: string): void {
    const rows = device.disk.rows<OutboxRow>(device.dbName(userId), 'outbox');
    const isPoisoned = (row: OutboxRow) => markersIn(row.patch).some((marker) => this.#world.server.poison.has(marker));
    const waiting = waitingForPerson(rows, (row) => row.state === 'attention' || isPoisoned(row));
    for (const row of rows) {
      if (waiting.has(row)) continue;
      const error = JSON.stringify(row.lastError ?? null);
      const what = `${device.name}: ${row.kind} ${row.type} rests as ${row.state} after ${row.tries} tries (${error})`;
      this.fail('4 visible or moving', what);
    }
  }

  /**
   * A profile is saved or not as its person last wished it, a request accepted is, where no other device had a hand in it
   * and every wish was heard; and the server never changed it more often than it was wished for.
   */
  checkWishes(): void {
    const { store } = this.#world.server;
    const groups = new Map<string, Wish[]>();
    for (const wish of this.wishes) {
      if (wish.kind !== 'save' && wish.kind !== 'accept') continue;
      const name = `${wish.userId} ${wish.kind} ${wish.target}`;
      groups.set(name, [...(groups.get(name) ?? []), wish]);
    }
    for (const [name, wishes] of groups) {
      const { kind, target } = wishes[0]!;
      const type = kind === 'save' ? 'saved_profile' : 'connection';
      const about = (one: LedgerEntry) =>
        one.type === type && one.id === (kind === 'save' ? target : connectionIn(wishes));
      const entries = store.ledger.filter((one) => about(one) && (one.device !== 'web' || one.kind === 'delete'));
      const isByWeb = (one: LedgerEntry) => one.device === 'web';
      const changes = entries.filter((one) => !isByWeb(one)).length;
      if (changes > wishes.length) {
        this.fail('2 at most once', `${name}: ${wishes.length} wishes made ${changes} changes`);
      }
      const isOthers = entries.some(isByWeb) || new Set(wishes.map((one) => one.device)).size > 1;
      const isHeard = wishes.every((one) => one.state === 'accepted' || one.state === 'refused');
      const last = wishes.findLast((one) => one.state === 'accepted');
      if (!last || isOthers || !isHeard || this.dropped.has(`${kind}:${target}`)) continue;
      const isSo =
        kind === 'save'
          ? (store.row(type, String(target)) !== undefined) === last.fields['saved']
          : store.row(type, String(connectionIn(wishes)))?.body['status'] === 'accepted';
      if (!isSo)
        this.fail(
          '3 fold',
          `${name}: the last wish ~${last.marker}~ ${JSON.stringify(last.fields)} is not what came of it`,
        );
    }
  }

  /** What one device alone wrote is what the server has. */
  checkLastWins(): void {
    const { store } = this.#world.server;
    for (const row of store.rows.values()) {
      for (const [field, value] of Object.entries(row.body)) {
        const entries = store.ledger.filter((one) => one.type === row.type && one.id === row.id && field in one.after);
        if (new Set(entries.filter((one) => one.n > 0).map((one) => one.device)).size > 1) continue;
        const marker = markerIn(value);
        if (marker === null) continue;
        const wish = this.wishOf(marker);
        if (!wish || this.dropped.has(`${marker}:${field}`)) continue;
        const key = this.keyOf(wish);
        const later = this.wishes.find(
          (one) =>
            one.marker > marker &&
            one.state === 'accepted' &&
            one.device === wish.device &&
            this.keyOf(one) === key &&
            markerIn(one.fields[field]) === one.marker &&
            !this.dropped.has(`${one.marker}:${field}`),
        );
        if (later && store.applied.has(`${later.marker}:${field}`)) {
          this.fail(
            '5 lane order',
            `${row.type} ${row.id}.${field} ended as ~${marker}~ though ~${later.marker}~ came later`,
          );
        }
      }
    }
  }
}
