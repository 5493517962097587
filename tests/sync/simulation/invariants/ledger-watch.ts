import { markerIn, markersIn } from '../markers.ts';
import type { FakeServer } from '../server/fake-server.ts';
import type { LedgerEntry } from '../server/fake-store.ts';
import type { Simulation } from '../simulation.ts';
import type { IntentLog, Intent } from './intent-log.ts';
import { fail } from './violation.ts';

/**
 * Watches the ledger: values are applied at most once, unseen values are not overwritten, and changes reach the right
 * account.
 */
export class LedgerWatch {
  readonly #intentLog: IntentLog;
  readonly #server: FakeServer;

  constructor({ intentLog, server }: Simulation) {
    this.#intentLog = intentLog;
    this.#server = server;
  }

  onLedger(entry: LedgerEntry): void {
    if (entry.kind === 'create' && entry.device !== 'web' && !this.#server.isBasic) {
      this.#checkTwins(entry);
      this.#checkWhole(entry);
    }
    if (entry.kind === 'delete') this.#checkWanted(entry);
    if (entry.type === 'notification' && entry.device !== 'web') this.#checkLookedAt(entry);
    for (const [field, value] of Object.entries(entry.after)) {
      const marker = markerIn(value);
      if (marker === null) continue;
      if (entry.kind === 'create') this.#intentLog.recordCreated(entry.device, marker, entry.id);
      const intent = this.#intentLog.getIntent(marker);
      const name = `${marker}:${field}`;
      if (intent && intent.userId !== entry.userId) {
        fail('14 account isolation', `${name} of ${intent.userId} changed ${entry.userId}'s ${entry.type}`);
      }
      if (entry.device === 'web') continue;
      if (!this.#server.isBasic) this.#checkOnce(name, entry);
      if (intent?.state === 'refused')
        fail('18 no false saved', `${name} was reported as not saved, but the server has it`);
      if (entry.kind === 'update' && intent && !this.#server.isBasic) this.#checkSeen(entry, field, intent);
    }
  }

  /** Fails if a recreated record exists beside the first one. */
  #checkTwins(entry: LedgerEntry): void {
    for (const [field, value] of Object.entries(entry.after)) {
      const marker = markerIn(value);
      if (marker === null) continue;
      for (const row of this.#server.store.rows.values()) {
        if (row.id === entry.id || row.type !== entry.type || row.userId !== entry.userId) continue;
        if (!markersIn(row.body[field]).includes(marker)) continue;
        if (this.#isWantedBeside(row.id, entry, marker)) continue;
        fail('2 at most once', `${entry.type} ${entry.id} was created with ${marker}:${field} beside ${row.id}`);
      }
    }
  }

  /** Tells whether the person recreated the record on two devices that each asked. */
  #isWantedBeside(other: string, entry: LedgerEntry, marker: number): boolean {
    const recreators = this.#intentLog.recreated
      .filter(({ type, body }) => type === entry.type && markersIn(body).includes(marker))
      .map(({ device }) => device);
    return (
      recreators.some(({ name }) => name === entry.device) &&
      recreators.some(
        (each) => each.name !== entry.device && this.#intentLog.getAllCreatedWith(each, marker).includes(other),
      )
    );
  }

  /** Fails if a recreated record lacks a field that the person saw and has not cleared since. */
  #checkWhole(entry: LedgerEntry): void {
    const markers = new Set(Object.values(entry.after).flatMap((value) => markersIn(value)));
    const wanted = this.#intentLog.recreated.findLast(
      ({ device, type, body }) =>
        device.name === entry.device && type === entry.type && markersIn(body).some((marker) => markers.has(marker)),
    );
    if (!wanted) return;
    for (const [field, value] of Object.entries(wanted.body)) {
      if (value == null || entry.after[field] != null) continue;
      const isCleared = this.#intentLog.intents.some(
        (intent) => intent.marker > wanted.after && intent.fields[field] === null,
      );
      if (!isCleared) fail('1 nothing lost', `${entry.type} ${entry.id} was recreated without its ${field}`);
    }
  }

  /** Fails if a device deletes a record whose delete the person has undone. */
  #checkWanted(entry: LedgerEntry): void {
    const all = this.#intentLog.intents.filter(
      (intent) =>
        intent.kind === 'delete' && intent.type === entry.type && this.#intentLog.getServerId(intent) === entry.id,
    );
    const own = all.filter(({ device }) => device.name === entry.device);
    if (entry.device === 'web' || own.length === 0) return;
    // A sealed file may have brought the delete of another device.
    const possible = all.filter(({ device }) => own.some((one) => this.#intentLog.isShared(device, one.device)));
    if (possible.some(({ state }) => state !== 'withdrawn')) return;
    fail('27 truthful', `${entry.type} ${entry.id} is deleted, although the person undid the delete`);
  }

  /** Fails if a notification counts as read that the person has not seen. */
  #checkLookedAt({ id, userId }: LedgerEntry): void {
    const raised = String(this.#server.store.row('notification', id)?.body['created_at']);
    if ((this.#intentLog.seenNotifications.get(userId)?.get(id) ?? '') < raised) {
      fail('27 truthful', `notification ${id} counts as read, and ${userId} never saw it`);
    }
  }

  #checkOnce(name: string, entry: LedgerEntry): void {
    const times = this.#server.store.applied.get(name) ?? 0;
    if (times > 1 + (this.#intentLog.allowance.get(name) ?? 0)) {
      fail('2 at most once', `${name} changed ${entry.type} ${entry.id} ${times} times`);
    }
  }

  /** Whether the author saw a value, or wrote over a value of this device whose author had seen it. */
  #hasSeen({ seen, marker, device }: Intent, field: string, value: unknown): boolean {
    const values = [...(seen.get(field) ?? [])];
    if (values.includes(value)) return true;
    const earlier = values.map(markerIn).filter((one) => one !== null && one < marker);
    return earlier.some((one) => {
      const author = this.#intentLog.getIntent(one!);
      return author?.device === device && this.#hasSeen(author, field, value);
    });
  }

  /** Fails if a value of another device is overwritten by somebody who has not seen it. */
  #checkSeen(entry: LedgerEntry, field: string, intent: Intent): void {
    const old = entry.before[field];
    const oldMarker = markerIn(old);
    if (oldMarker === null || this.#hasSeen(intent, field, old)) return;
    const author = this.#intentLog.getIntent(oldMarker);
    if (author?.device === intent.device) return;
    // The person discarded it on this device, while another one sent it from a sealed file.
    if (this.#intentLog.abandoned.has(`${oldMarker}:${field}`)) return;
    fail('3 convergence', `${intent.marker}:${field} overwrote ${String(old)}, which its author had never seen`);
  }

  onFile(digest: string, userId: string, as: string): void {
    const intent = this.#intentLog.intents.find((one) => one.sha256 === digest);
    if (!intent) fail('16 upload integrity', `the server stored a ${as} of bytes that nobody picked`);
    if (intent.userId !== userId) fail('14 account isolation', `a file of ${intent.userId} became ${userId}'s ${as}`);
    const times = this.#server.store.files.filter((file) => file.sha256 === digest).length;
    if (!this.#server.isBasic && times > 1 + (this.#intentLog.allowance.get(digest) ?? 0)) {
      fail('2 at most once', `file of ~${intent.marker}~ became a ${as} ${times} times`);
    }
  }
}
