import { sectionOf } from '#contract/sections/index.ts';
import type { MediaFile, OutboxRow } from '#db/rows.ts';
import type { Device } from '../device.ts';
import { markersIn, wordsIn } from '../markers.ts';
import { getLane } from './lanes.ts';

/** One act of the person that wrote something, as the oracle remembers it. */
export interface Intent {
  marker: number;
  device: Device;
  userId: string;
  type: string;
  kind: 'create' | 'update' | 'delete' | 'photo' | 'avatar' | 'save' | 'connect' | 'accept' | 'seen';
  /** Canonical id on that device; null until a create has answered. */
  target: string | null;
  op: string | null;
  fields: Record<string, unknown>;
  /** What stood there, as far as the person could see, by field. */
  seen: Map<string, Set<unknown>>;
  /** Of the file, for photos and avatars. */
  sha256?: string;
  /** When the person was told that it is saved, in simulated ms. */
  savedAt?: number;
  /** The notifications that were looked at. */
  news?: readonly string[];
  /** unsure: the page died, or the connection broke, before the person heard. taken: the browser deleted the store. */
  state: 'asked' | 'accepted' | 'refused' | 'unsure' | 'withdrawn' | 'taken';
}

/** What the person did, was told and gave up, and by which ids that goes. Judges nothing. */
export class IntentLog {
  readonly intents: Intent[] = [];
  /** `marker:field` that the person gave up. */
  readonly abandoned = new Set<string>();
  /** `marker:field` → how often it may be applied beyond once. */
  readonly allowance = new Map<string, number>();
  /** By person, the notifications they have had before their eyes. */
  readonly seenNotifications = new Map<string, Set<string>>();
  /** Records that the person had made again, whole as they saw them; `after`: the last act before. */
  readonly recreated: { device: Device; type: string; body: Record<string, unknown>; after: number }[] = [];
  /** `device marker` → server ids of the records that came into being there with it: it may be made again. */
  readonly #createdBy = new Map<string, string[]>();

  recordIntent(intent: Omit<Intent, 'marker' | 'state' | 'op'>): Intent {
    const made: Intent = { ...intent, marker: this.intents.length + 1, state: 'asked', op: null };
    this.intents.push(made);
    return made;
  }

  /** The browser has deleted the store that this was kept in: what of it has reached the server, nobody can say. */
  markEvicted(device: Device, userId: string): void {
    for (const intent of this.intents) {
      if (intent.device === device && intent.userId === userId && intent.state !== 'refused') intent.state = 'taken';
    }
  }

  recordSeenNotifications(userId: string, news: readonly string[]): void {
    const before = this.seenNotifications.get(userId) ?? [];
    this.seenNotifications.set(userId, new Set([...before, ...news]));
  }

  getIntent(marker: number): Intent | undefined {
    return this.intents[marker - 1];
  }

  /** Wishes whose words a row carries. */
  getIntentsIn(row: OutboxRow): Intent[] {
    return markersIn(row.patch).flatMap((marker) => this.getIntent(marker) ?? []);
  }

  /** Wishes of the same device for the record of a row. */
  getIntentsForRecord(device: Device, row: OutboxRow): Intent[] {
    const keys = new Set(this.getIntentsIn(row).map((intent) => this.getKey(intent)));
    return this.intents.filter((intent) => intent.device === device && keys.has(this.getKey(intent)));
  }

  /** A record came into being with a marker. */
  recordCreated(device: string, marker: number, id: string): void {
    const name = `${device} ${marker}`;
    this.#createdBy.set(name, [...(this.#createdBy.get(name) ?? []), id]);
  }

  /** The records that a device made with a marker, by their server ids. */
  getAllCreatedWith(device: Device, marker: number): readonly string[] {
    return this.#createdBy.get(`${device.name} ${marker}`) ?? [];
  }

  /** The record that a device last made with a marker; null where it made none. */
  getCreatedWith(device: Device, marker: number): string | null {
    return this.getAllCreatedWith(device, marker).at(-1) ?? null;
  }

  /** A record made again goes by a new id, and one whose page died before it answered has one all the same. */
  retarget(device: Device, row: OutboxRow): void {
    for (const intent of this.getIntentsIn(row)) {
      if (intent.device !== device || intent.type !== row.type || intent.target === row.target) continue;
      const key = this.getKey(intent);
      // All found before any moves: the key hangs on the target of the wish that made the record.
      const same = this.intents.filter(
        (one) => one.target !== null && one.device === device && this.getKey(one) === key,
      );
      if (intent.target !== null) for (const one of same) one.target = row.target;
      intent.target = row.target;
    }
  }

  /** Whether the same person on the same device later wrote the field again or removed the record. */
  isSuperseded(intent: Intent, field: string): boolean {
    const key = this.getKey(intent);
    return this.intents.some((later) => {
      if (later.marker <= intent.marker || later.device !== intent.device || later.state === 'withdrawn') return false;
      if (later.state === 'refused' || this.getKey(later) !== key) return false;
      return later.kind === 'delete' || field in later.fields;
    });
  }

  /** One name for a record on one device, whichever id it goes by. */
  getKey(intent: Intent): string {
    return `${intent.userId}/${intent.type === 'about_me' ? 'profile' : intent.type}/${this.getServerId(intent) ?? String(intent.target)}`;
  }

  /** The server's id of what a wish is about, by the ledger; null while the server has never seen it. */
  getServerId(intent: Intent): string | null {
    if (intent.target === null) return null;
    return /^\d+$/.test(intent.target) ? intent.target : this.getServerIdOfTarget(intent.device, intent.target);
  }

  /** A delete was undone, or a later edit said that the record is wanted after all. */
  isWithdrawn(intent: Intent): boolean {
    if (intent.state === 'withdrawn' || intent.state === 'unsure') return true;
    const key = this.getKey(intent);
    const isListOfOne = sectionOf(intent.type)?.most === 1;
    return this.intents.some((later) => {
      if (later.marker <= intent.marker || later.device !== intent.device) return false;
      if (later.kind === 'update') return this.getKey(later) === key;
      // What is written into a list of one is an edit of its record where there is one; only then is it known of which.
      const isWritten = later.kind === 'create' && later.type === intent.type && isListOfOne;
      return isWritten && (later.target === null || this.getKey(later) === key);
    });
  }

  getServerIdOfTarget(device: Device, target: string): string | null {
    for (const one of this.intents) {
      const id = one.target === target && one.device === device ? this.getCreatedWith(device, one.marker) : null;
      if (id !== null) return id;
    }
    return null;
  }

  /** Sending a change again says that its record is wanted after all: a delete not yet sent is none any more. */
  withdrawDelete(device: Device, userId: string, row: OutboxRow): void {
    const rows = device.outbox(userId);
    const taken = rows.filter((one) => one.kind === 'delete' && getLane(one) === getLane(row) && !one.sentOnce);
    for (const one of taken) this.abandonDelete(device, one);
  }

  /** A delete is given up, also one that was wished once more after a conflict and goes by another op since. */
  abandonDelete(device: Device, row: OutboxRow): void {
    this.abandoned.add(`delete:${row.op}`);
    const id = this.getServerIdOfTarget(device, row.target) ?? row.target;
    const intent = this.intents.findLast(
      (one) =>
        one.kind === 'delete' &&
        one.device === device &&
        one.type === row.type &&
        (one.target === row.target || this.getServerId(one) === id),
    );
    if (intent) this.abandoned.add(`delete:${intent.op}`);
  }

  /** The person discards a change: with a record that was never made, everything that hangs on it may go too. */
  abandon(device: Device, userId: string, row: OutboxRow): void {
    const rows = device.outbox(userId);
    const files = device.disk.rows<MediaFile>(device.dbName(userId), 'media');
    const attached = rows.filter(
      (one) => one.kind !== 'upload' && row.kind === 'upload' && one.deps.includes(row.target),
    );
    const falls = new Set([row, ...attached]);
    for (const one of rows)
      if ([...falls].some((top) => top.kind === 'create' && (one.target === top.target || one.parent === top.target)))
        falls.add(one);
    for (const one of falls) {
      this.abandonWords(one);
      if (one.kind === 'delete') this.abandonDelete(device, one);
      if (one.kind === 'seen') for (const id of one.patch.ids as string[]) this.abandoned.add(`seen:${id}`);
      if (one.kind === 'save' || one.kind === 'accept') this.abandoned.add(`${one.kind}:${one.target}`);
      for (const id of [one.target, ...one.deps]) {
        const file = files.find((each) => each.id === id);
        if (file) this.abandoned.add(`file:${file.sha256}`);
      }
    }
  }

  /** Everything written so far to a record that was never made is given up with it. */
  abandonRecord(device: Device, target: string): void {
    for (const intent of this.intents) {
      if (intent.device !== device || intent.target !== target) continue;
      for (const field of Object.keys(intent.fields)) this.abandoned.add(`${intent.marker}:${field}`);
    }
  }

  abandonWords(row: OutboxRow): void {
    for (const { name } of wordsIn(row.patch)) this.abandoned.add(name);
  }

  /** What may be made anew may be applied once more. */
  allowAgain(body: Record<string, unknown>): void {
    for (const { name } of wordsIn(body)) this.allowance.set(name, (this.allowance.get(name) ?? 0) + 1);
  }
}
