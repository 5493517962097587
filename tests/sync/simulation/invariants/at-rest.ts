import type { OutboxRow } from '#db/rows.ts';
import type { Device } from '../device.ts';
import { markerIn, markersIn } from '../markers.ts';
import type { LedgerEntry } from '../server/fake-store.ts';
import type { Simulation } from '../simulation.ts';
import { getRowsWaitingForPerson } from './lanes.ts';
import type { Intent } from './intent-log.ts';
import { fail } from './violation.ts';

/** Returns the id of the connection that the intents to accept refer to. */
const connectionIn = (intents: readonly Intent[]): unknown => intents[0]?.fields['connection'];

/** Fails if a row rests for a reason that the person cannot see. */
export function checkVisible(device: Device, userId: string): void {
  const rows = device.outbox(userId);
  const { poison } = device.simulation.server;
  const isPoisoned = (row: OutboxRow) => markersIn(row.patch).some((marker) => poison.has(marker));
  const waiting = getRowsWaitingForPerson(rows, (row) => row.state === 'attention' || isPoisoned(row));
  for (const row of rows) {
    if (waiting.has(row)) continue;
    const error = JSON.stringify(row.lastError ?? null);
    const what = `${device.name}: ${row.kind} ${row.type} rests as ${row.state} after ${row.tries} tries (${error})`;
    fail('4 visible or moving', what);
  }
}

/**
 * Checks that saved profiles and accepted requests match the person's last intent, if no other device took part and
 * every intent got its response, and that the server never changed them more often than intended.
 */
export function checkIntents({ intentLog, server }: Simulation): void {
  const { store } = server;
  const groups = new Map<string, Intent[]>();
  for (const intent of intentLog.intents) {
    if (intent.kind !== 'save' && intent.kind !== 'accept') continue;
    const name = `${intent.userId} ${intent.kind} ${intent.type} ${intent.target}`;
    groups.set(name, [...(groups.get(name) ?? []), intent]);
  }
  for (const [name, intents] of groups) {
    const { kind, target } = intents[0]!;
    const type = kind === 'save' ? intents[0]!.type : 'connection';
    const about = (one: LedgerEntry) =>
      one.type === type && one.id === (kind === 'save' ? target : connectionIn(intents));
    const entries = store.ledger
      .filter((one) => about(one) && (one.device !== 'web' || one.kind === 'delete'))
      // Ending an accepted connection is another intent.
      .filter((one) => kind === 'save' || one.device === 'web' || one.kind !== 'delete');
    const isByWeb = (one: LedgerEntry) => one.device === 'web';
    const changes = entries.filter((one) => !isByWeb(one)).length;
    if (changes > intents.length) {
      fail('2 at most once', `${name}: ${intents.length} intents made ${changes} changes`);
    }
    const isByOthers = entries.some(isByWeb) || new Set(intents.map((one) => one.device)).size > 1;
    const hasResponse = intents.every((one) => one.state === 'accepted' || one.state === 'refused');
    const last = intents.findLast((one) => one.state === 'accepted');
    if (!last || isByOthers || !hasResponse || intentLog.abandoned.has(`${kind}:${target}`)) continue;
    const isSo =
      kind === 'save'
        ? (store.row(type, String(target)) !== undefined) === last.fields['saved']
        : store.row(type, String(connectionIn(intents)))?.body['status'] === 'accepted';
    if (!isSo)
      fail('3 convergence', `${name}: the last intent ~${last.marker}~ ${JSON.stringify(last.fields)} was not applied`);
  }
}

/** Checks that the server has the last value of every field that only one device wrote. */
export function checkLastWins({ intentLog, server }: Simulation): void {
  const { store } = server;
  for (const row of store.rows.values()) {
    for (const [field, value] of Object.entries(row.body)) {
      const entries = store.ledger.filter((one) => one.type === row.type && one.id === row.id && field in one.after);
      const writers = new Set(entries.filter((one) => one.n > 0).map((one) => one.device));
      if (writers.size > 1) continue;
      const marker = markerIn(value);
      if (marker === null) continue;
      const intent = intentLog.getIntent(marker);
      // Another device that recreates a deleted record writes the values it knows.
      if (!intent || (writers.size === 1 && !writers.has(intent.device.name))) continue;
      if (intentLog.abandoned.has(`${marker}:${field}`)) continue;
      const key = intentLog.getKey(intent);
      const later = intentLog.intents.find(
        (one) =>
          one.marker > marker &&
          one.state === 'accepted' &&
          one.device === intent.device &&
          intentLog.getKey(one) === key &&
          markerIn(one.fields[field]) === one.marker &&
          !intentLog.abandoned.has(`${one.marker}:${field}`),
      );
      if (later && store.applied.has(`${later.marker}:${field}`)) {
        fail('5 lane order', `${row.type} ${row.id}.${field} ended as ~${marker}~ though ~${later.marker}~ came later`);
      }
    }
  }
}
