import type { AnyRow } from '#contract/section.ts';
import { findSetSection } from '#db/canonical.ts';
import type { IdPair, MediaFile, OutboxRow } from '#db/rows.ts';
import type { Device } from '../device.ts';
import { markersIn } from '../markers.ts';
import type { Exchange } from '../network.ts';
import { fingerprintOf, markersOf, type ServerRequest } from '../server/wire.ts';
import type { Simulation } from '../simulation.ts';
import { getLane } from './lanes.ts';
import { fail } from './violation.ts';

const uploadOf = (path: string) => path.split('/').at(-1)!;

/**
 * Watches the wire: lane order, frozen payloads, no local ids, the right credentials and no byte sent twice without
 * need.
 */
export class WireWatch {
  readonly #simulation: Simulation;
  readonly #keys = new Map<string, string>();
  readonly #patched = new Map<string, number>();
  readonly #disturbed = new Map<string, number>();
  readonly #takenBack = new Set<string>();
  #largestPatch = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  onSend(exchange: Exchange): void {
    const { request, sender, userId } = exchange;
    const tokenUser = sender.device.session?.userId;
    for (const marker of markersOf(request)) {
      const intent = this.#simulation.intentLog.getIntent(marker);
      if (intent && intent.userId !== tokenUser) {
        fail('14 account isolation', `~${marker}~ of ${intent.userId} left under ${String(tokenUser)}'s token`);
      }
    }
    this.#checkIds(exchange);
    if (request.method === 'PATCH' && request.body.kind === 'bytes') this.#countPatch(exchange);
    if (request.method === 'DELETE' && request.path.startsWith('/uploads/'))
      this.#patched.delete(uploadOf(request.path));
    const key = request.headers['idempotency-key'];
    if (key !== undefined && this.#takenBack.has(key)) {
      fail('27 truthful', `${request.method} ${request.path} is sent, although the person undid it`);
    }
    const device = this.#simulation.devices.find((one) => one === sender.device)!;
    const rows = device.outbox(userId);
    const row = this.#rowOf(rows, exchange);
    if (key !== undefined) this.#checkFrozen(key, exchange, row);
    if (row) this.#checkOrder(row, rows, exchange, device);
  }

  /** Records that the app confirmed the undo of a change, which must never be sent. */
  takenBack(op: string): void {
    if (this.#keys.has(op)) fail('27 truthful', `the app confirmed the undo of a sent change`);
    this.#takenBack.add(op);
  }

  hasLeft(op: string): boolean {
    return this.#keys.has(op);
  }

  #rowOf(rows: OutboxRow[], { request }: Exchange): OutboxRow | undefined {
    const key = request.headers['idempotency-key'];
    if (key !== undefined) return rows.find((row) => row.op === key);
    if (request.method === 'GET' || request.method === 'HEAD') return undefined;
    const markers = markersOf(request);
    return rows.find((row) => markersIn(row.patch).some((marker) => markers.includes(marker)));
  }

  #checkFrozen(key: string, { request, sender }: Exchange, row: OutboxRow | undefined): void {
    const { 'if-match': version = '', 'if-none-match': none = '' } = request.headers;
    const print = this.#printOf(request, row);
    // Each device that opened a sealed file knows its own version of a record, and learns another when it opens a newer file.
    const prints: [string, string][] = [
      [key, print],
      [`${key} on ${sender.device.name}`, `${print}\n${version}\n${none}`],
    ];
    for (const [name, now] of row?.sealedAt === undefined ? prints : prints.slice(0, 1)) {
      const before = this.#keys.get(name);
      if (before !== undefined && before !== now) {
        fail('9 frozen after send', `key ${name} first carried\n${before}\nand then\n${now}`);
      }
      this.#keys.set(name, now);
    }
  }

  /**
   * Returns the part of a request that a retry must repeat. A server without idempotency keys receives every field of a
   * set. Unchanged fields have the values known at that time, or a retry would undo another device's changes.
   */
  #printOf(request: ServerRequest, row: OutboxRow | undefined): string {
    if (!this.#simulation.server.isBasic || !row || !findSetSection(row.type) || request.body.kind !== 'json') {
      return fingerprintOf(request);
    }
    const body = JSON.parse(request.body.text) as AnyRow;
    const own = Object.keys(row.patch).map((field) => [field, body[field]]);
    return [request.method, request.path, JSON.stringify(own)].join('\n');
  }

  #checkOrder(row: OutboxRow, rows: OutboxRow[], { request }: Exchange, device: Device): void {
    const before = rows.find((one) => getLane(one) === getLane(row) && one.seq < row.seq);
    if (before) {
      fail(
        '5 lane order',
        `${row.kind} ${row.type} ${row.seq} was sent before ${before.kind} ${before.seq} (${before.state})`,
      );
    }
    if (!row.sentOnce) fail('9 frozen after send', `${row.kind} ${row.type} was sent before the disk recorded it`);
    if (row.state === 'attention') fail('4 visible or moving', `${row.op} was sent while it waits for the person`);
    if (row.kind === 'upload' || request.path.startsWith('/uploads')) return;
    const database = device.dbName(this.#userOf(row, device));
    const ids = new Set(device.disk.rows<IdPair>(database, 'ids').map((pair) => pair.local));
    const media = new Map(device.disk.rows<MediaFile>(database, 'media').map((file) => [file.id, file]));
    for (const dep of row.deps) {
      if (ids.has(dep) || this.#simulation.server.isBasic) continue;
      const file = media.get(dep);
      if (file && (file.state === 'sent' || file.state === 'kept')) continue;
      if (rows.some((one) => one.target === dep || one.op === dep)) {
        fail('5 lane order', `${row.kind} ${row.type} was sent before what it depends on (${dep})`);
      }
    }
  }

  #userOf(row: OutboxRow, device: Device): string {
    const users = [...this.#simulation.server.store.users.keys()];
    return users.find((user) => device.outbox(user).includes(row)) ?? '';
  }

  #checkIds({ request }: Exchange): void {
    const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|L_/i;
    if (!request.path.startsWith('/uploads') && uuid.test(request.path)) {
      fail('7 no phantom id', `${request.method} ${request.path}`);
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
        fail('7 no phantom id', `${request.method} ${request.path} has ${field} ${JSON.stringify(value)}`);
      }
    }
  }

  #countPatch({ request, fault, sender }: Exchange): void {
    if (request.body.kind !== 'bytes') return;
    const id = uploadOf(request.path);
    this.#largestPatch = Math.max(this.#largestPatch, request.body.bytes.length);
    this.#patched.set(id, (this.#patched.get(id) ?? 0) + request.body.bytes.length);
    // A captive portal consumes the bytes as well.
    if (fault || sender.device.portal !== null) this.disturb(id);
  }

  /** Allows an upload to send one chunk again because something disturbed it. */
  disturb(uploadId: string): void {
    this.#disturbed.set(uploadId, (this.#disturbed.get(uploadId) ?? 0) + 1);
  }

  disturbAll(): void {
    for (const id of this.#simulation.server.store.uploads.keys()) this.disturb(id);
  }

  /** The server lost the uploads, so all bytes may be sent again. */
  uploadsForgotten(): void {
    this.#patched.clear();
  }

  /** Fails if bytes of an upload were sent twice without a disturbance. */
  checkResent(): void {
    for (const upload of this.#simulation.server.store.attached) {
      const resent = (this.#patched.get(upload.id) ?? 0) - upload.length;
      const allowed = (this.#disturbed.get(upload.id) ?? 0) * this.#largestPatch;
      if (upload.bytes.length === upload.length && resent > allowed) {
        fail('16 upload integrity', `${resent} bytes were sent twice; ${allowed} are allowed`);
      }
    }
  }
}
