import type { DayState } from '#contract/casting/availability.ts';
import type { IdPair, OutboxRow } from '#db/rows.ts';
import { markerOf, markersIn } from '../simulation/markers.ts';
import type { FakeStore, LedgerEntry } from '../simulation/server/fake-store.ts';
import { Violation } from '../simulation/invariants/violation.ts';
import type { CastingDevice } from './simulation.ts';

export type CastingRecord =
  'project' | 'role' | 'request' | 'audition' | 'tape' | 'availability' | 'link' | 'candidate' | 'project_member';
type IntentKind =
  | 'create'
  | 'edit'
  | 'delete'
  | 'seen'
  | 'confirm'
  | 'decline'
  | 'answer'
  | 'withdraw'
  | 'cast'
  | 'ask'
  | 'mark'
  | 'days'
  | 'card'
  | 'column'
  | 'revoke'
  | 'join'
  | 'refuse'
  | 'leave';

/** Something that a person did. Its marker is in what it sends. */
export interface CastingIntent {
  marker: number;
  device: CastingDevice;
  kind: IntentKind;
  type: CastingRecord;
  /** Canonical id on its device; null until a create returns. */
  target: string | null;
  /** Canonical ids of the records that its record belongs to. */
  above: readonly string[];
  /** Fields of a record that it sets. */
  fields: readonly string[];
  /** What it says about a day. */
  day?: DayState | null;
  /** When a tape was finished, ms since the epoch. */
  at?: number;
  /** How often the browser had deleted the store of its device before. What a device has forgotten, it says like another one. */
  store: number;
  /**
   * begun: the app has not confirmed it, and may never. undone: withdrawn before it was sent. discarded: given up by the person.
   * taken: the browser deleted the store.
   */
  state: 'begun' | 'accepted' | 'undone' | 'discarded' | 'taken';
}

export const REPLIES: readonly string[] = ['confirm', 'decline', 'join', 'refuse'];
const UNDOINGS: readonly string[] = ['withdraw', 'revoke'];
/** What is done again and again without taking the place of what was done before. */
const ADD_UP: readonly string[] = ['answer', 'ask'];
const RECORD_KINDS: readonly string[] = ['create', 'edit'];

/** Records what people did with projects, roles, requests and auditions, and finds out whether it is lost. */
export class CastingIntents {
  readonly all: CastingIntent[] = [];
  readonly #store: FakeStore;
  /** Markers that a record on the server has or had. */
  readonly #applied = new Set<number>();
  /** Markers of requests that the server refused. A late copy of one may take effect after it was sent again. */
  readonly refused = new Set<number>();
  readonly #evictions = new Map<CastingDevice, number>();
  #count = 0;

  constructor(store: FakeStore) {
    this.#store = store;
  }

  onLedger({ after }: LedgerEntry): void {
    for (const marker of markersIn(after)) this.#applied.add(marker);
  }

  /** Returns a text with the marker of a new intent. */
  begin(
    about: Pick<CastingIntent, 'device' | 'kind' | 'type' | 'target'> &
      Partial<Pick<CastingIntent, 'above' | 'fields' | 'day' | 'at'>>,
  ): CastingIntent {
    const store = this.#evictions.get(about.device) ?? 0;
    const marker = (this.#count += 1);
    const intent: CastingIntent = { above: [], fields: [], ...about, marker, store, state: 'begun' };
    this.all.push(intent);
    return intent;
  }

  of(marker: number): CastingIntent | undefined {
    return this.all.find((intent) => intent.marker === marker);
  }

  isDone(intent: CastingIntent): boolean {
    if (RECORD_KINDS.includes(intent.kind)) return this.#applied.has(intent.marker);
    // Two devices may add the same performer, and then one card is enough, or change the same column: `checkShortlists`.
    if (intent.kind === 'card' || intent.kind === 'column') return true;
    // A call without a body has no marker.
    if (intent.kind === 'revoke') {
      const link = this.#store.row('link', getServerId(intent.device, intent.target) ?? '');
      return link === undefined || link.body['revoked_at'] !== null;
    }
    if (intent.kind !== 'delete') return this.#store.acts.some(({ markers }) => markers.includes(intent.marker));
    const id = getServerId(intent.device, intent.target);
    return id === null || this.#store.row(intent.type, id) === undefined;
  }

  /** Whether something later that this device did takes its place. */
  isSuperseded(intent: CastingIntent): boolean {
    return this.all.some((later) => {
      if (later.marker <= intent.marker || later.device !== intent.device || later.target === null) return false;
      if (later.kind === 'delete') return later.target === intent.target || this.#above(intent).includes(later.target);
      if (later.target !== intent.target) return false;
      if (later.state === 'undone') return true;
      // The page died before the app could say whether it withdrew something unsent.
      if (UNDOINGS.includes(later.kind) && later.state === 'begun' && !this.#hasArrived(intent)) return true;
      if (REPLIES.includes(intent.kind) && REPLIES.includes(later.kind)) return true;
      if (later.kind === 'edit') {
        return intent.kind === 'delete' || later.fields.some((field) => intent.fields.includes(field));
      }
      return later.kind === intent.kind && !ADD_UP.includes(intent.kind);
    });
  }

  /** What the record of an intent belongs to: as it says, or as its creation did. */
  #above({ above, target }: CastingIntent): readonly string[] {
    if (above.length > 0) return above;
    return this.all.find((made) => made.kind === 'create' && made.target === target)?.above ?? [];
  }

  #hasArrived({ target }: CastingIntent): boolean {
    return [...this.#store.rows.values()].some(({ clientId }) => clientId !== null && target === `L_${clientId}`);
  }

  /** That it was seen concerns nobody who can no longer be reached, and nobody leaves a project that they were removed from. */
  #isPointless({ kind, type, device, target }: CastingIntent): boolean {
    if (kind === 'refuse' || kind === 'leave') return this.#store.row(type, target ?? '') === undefined;
    if (type !== 'audition' || kind !== 'seen') return false;
    return this.#store.presenters.get('audition')?.(target ?? '', device.simulation.userOf(device), false) == null;
  }

  /** Returns a violation if a confirmed intent of this device neither waits nor arrived nor ended otherwise. */
  findLost(device: CastingDevice, rows: readonly OutboxRow[]): Violation | null {
    const waiting = new Set(rows.flatMap(({ patch }) => markersIn(patch)));
    for (const intent of this.all) {
      if (intent.device !== device || intent.state !== 'accepted' || waiting.has(intent.marker)) continue;
      if (intent.kind === 'delete' && rows.some(({ kind, target }) => kind === 'delete' && target === intent.target))
        continue;
      if (this.isDone(intent) || this.isSuperseded(intent) || this.#isPointless(intent)) continue;
      const { kind, type, marker } = intent;
      return new Violation(
        '1 nothing lost',
        `${kind} ${type} ${markerOf(marker)} left ${device.name} and never arrived`,
      );
    }
    return null;
  }

  /** Notes that the person gave up what these rows say. */
  discard(rows: readonly OutboxRow[]): void {
    for (const marker of rows.flatMap(({ patch }) => markersIn(patch))) this.#end(this.of(marker), 'discarded');
    for (const { kind, target } of rows) {
      if (kind !== 'delete') continue;
      for (const intent of this.all)
        if (intent.kind === 'delete' && intent.target === target) this.#end(intent, 'discarded');
    }
  }

  /** Notes that what still waits was not given up after all. */
  restore(device: CastingDevice, rows: readonly OutboxRow[]): void {
    const waiting = new Set(rows.flatMap(({ patch }) => markersIn(patch)));
    for (const intent of this.all)
      if (intent.device === device && intent.state === 'discarded' && waiting.has(intent.marker))
        this.#end(intent, 'accepted');
  }

  /** Notes that an edit without a marker of its own cancels what deletes its record. */
  keep(device: CastingDevice, target: string): void {
    for (const intent of this.all)
      if (intent.kind === 'delete' && intent.device === device && intent.target === target)
        this.#end(intent, 'discarded');
  }

  /** Notes that a request was withdrawn on the device that had not sent it. */
  undo(device: CastingDevice, target: string): void {
    for (const intent of this.all)
      if (intent.device === device && intent.target === target) this.#end(intent, 'undone');
  }

  /** Notes that the browser deleted everything that waited on a device. */
  take(device: CastingDevice): void {
    this.#evictions.set(device, (this.#evictions.get(device) ?? 0) + 1);
    for (const intent of this.all) if (intent.device === device && !this.isDone(intent)) this.#end(intent, 'taken');
  }

  /** Whether the browser has deleted what its device had stored since. */
  wasTaken({ device, store }: CastingIntent): boolean {
    return (this.#evictions.get(device) ?? 0) > store;
  }

  #end(intent: CastingIntent | undefined, state: CastingIntent['state']): void {
    if (intent) intent.state = state;
  }

  /** Throws if something took effect twice, or in another order than the one in which its device did it. */
  checkActs(): void {
    const last = new Map<string, number>();
    const met = new Set<number>();
    for (const { act, type, id, device, markers } of this.#store.acts) {
      const [marker] = markers;
      const intent = marker === undefined ? undefined : this.of(marker);
      if (marker === undefined || intent === undefined) throw new Violation('1 nothing lost', `${act} without marker`);
      if (this.refused.has(marker) || intent.state === 'discarded') continue;
      const what = `${act} ${type} ${id} ${markerOf(marker)}`;
      if (met.has(marker)) throw new Violation('2 at most once', `${what} took effect twice`);
      met.add(marker);
      if (intent.kind !== act && !(intent.kind === 'days' && act === 'set'))
        throw new Violation('1 nothing lost', `${what} was a ${intent.kind}`);
      // Questions are messages, which do not wait for a yes.
      const lane = `${device} ${intent.store} ${act === 'ask' ? 'question' : type} ${id}`;
      const before = last.get(lane) ?? 0;
      if (before > marker) throw new Violation('5 lane order', `${what} came after ${markerOf(before)}`);
      last.set(lane, marker);
    }
    const asked = [...this.#store.chats.values()].flatMap(({ messages }) =>
      messages.flatMap(({ message }) => markersIn(message)),
    );
    if (new Set(asked).size !== asked.length) throw new Violation('2 at most once', 'a question was asked twice');
    const made = [...this.#store.rows.values()].flatMap(({ clientId }) => clientId ?? []);
    if (new Set(made).size !== made.length) throw new Violation('2 at most once', 'a record was made twice');
  }
}

/** The id that the server has for a record of a device; null if it has none. */
export function getServerId(device: CastingDevice, id: string | null): string | null {
  if (id === null || !id.startsWith('L_')) return id;
  const pairs = device.disk.rows<IdPair>(device.dbName(device.simulation.userOf(device)), 'ids');
  return pairs.find(({ local }) => local === id)?.server ?? null;
}
