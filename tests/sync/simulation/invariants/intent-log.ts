import { sectionOf } from '#contract/sections/index.ts';
import type { MediaFile, OutboxRow } from '#db/rows.ts';
import type { Device } from '../device.ts';
import { markersIn, wordsIn } from '../markers.ts';
import { laneOf } from './lanes.ts';

/** One act of the person that wrote something, as the oracle remembers it. */
export interface Wish {
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
  toldAt?: number;
  /** The notifications that were looked at. */
  news?: readonly string[];
  /** unsure: the page died, or the connection broke, before the person heard. taken: the browser deleted the store. */
  state: 'asked' | 'accepted' | 'refused' | 'unsure' | 'withdrawn' | 'taken';
}

/** What the person did, was told and gave up, and by which ids that goes. Judges nothing. */
export class Memory {
  readonly wishes: Wish[] = [];
  /** `marker:field` that the person gave up. */
  readonly dropped = new Set<string>();
  /** `marker:field` → how often it may be applied beyond once. */
  readonly allowance = new Map<string, number>();
  /** By person, the notifications they have had before their eyes. */
  readonly seenNews = new Map<string, Set<string>>();
  /** Records that the person had made again, whole as they saw them; `after`: the last act before. */
  readonly remade: { device: Device; type: string; body: Record<string, unknown>; after: number }[] = [];
  /** `device marker` → server ids of the records that came into being there with it: it may be made again. */
  readonly #createdBy = new Map<string, string[]>();

  wish(wish: Omit<Wish, 'marker' | 'state' | 'op'>): Wish {
    const made: Wish = { ...wish, marker: this.wishes.length + 1, state: 'asked', op: null };
    this.wishes.push(made);
    return made;
  }

  /** The browser has deleted the store that this was kept in: what of it has reached the server, nobody can say. */
  takeAway(device: Device, userId: string): void {
    for (const wish of this.wishes) {
      if (wish.device === device && wish.userId === userId && wish.state !== 'refused') wish.state = 'taken';
    }
  }

  saw(userId: string, news: readonly string[]): void {
    const before = this.seenNews.get(userId) ?? [];
    this.seenNews.set(userId, new Set([...before, ...news]));
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

  /** A record came into being with a marker. */
  noteMade(device: string, marker: number, id: string): void {
    const name = `${device} ${marker}`;
    this.#createdBy.set(name, [...(this.#createdBy.get(name) ?? []), id]);
  }

  /** The records that a device made with a marker, by their server ids. */
  allMadeWith(device: Device, marker: number): readonly string[] {
    return this.#createdBy.get(`${device.name} ${marker}`) ?? [];
  }

  /** The record that a device last made with a marker; null where it made none. */
  madeWith(device: Device, marker: number): string | null {
    return this.allMadeWith(device, marker).at(-1) ?? null;
  }

  /** A record made again goes by a new id, and one whose page died before it answered has one all the same. */
  retarget(device: Device, row: OutboxRow): void {
    for (const wish of this.wishesIn(row)) {
      if (wish.device !== device || wish.type !== row.type || wish.target === row.target) continue;
      const key = this.keyOf(wish);
      // All found before any moves: the key hangs on the target of the wish that made the record.
      const same = this.wishes.filter((one) => one.target !== null && one.device === device && this.keyOf(one) === key);
      if (wish.target !== null) for (const one of same) one.target = row.target;
      wish.target = row.target;
    }
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
  isTakenBack(wish: Wish): boolean {
    if (wish.state === 'withdrawn' || wish.state === 'unsure') return true;
    const key = this.keyOf(wish);
    const isListOfOne = sectionOf(wish.type)?.most === 1;
    return this.wishes.some((later) => {
      if (later.marker <= wish.marker || later.device !== wish.device) return false;
      if (later.kind === 'update') return this.keyOf(later) === key;
      // What is written into a list of one is an edit of its record where there is one; only then is it known of which.
      const isWritten = later.kind === 'create' && later.type === wish.type && isListOfOne;
      return isWritten && (later.target === null || this.keyOf(later) === key);
    });
  }

  serverIdOfTarget(device: Device, target: string): string | null {
    for (const one of this.wishes) {
      const id = one.target === target && one.device === device ? this.madeWith(device, one.marker) : null;
      if (id !== null) return id;
    }
    return null;
  }

  /** Sending a change again says that its record is wanted after all: a delete not yet sent is none any more. */
  takeBackDelete(device: Device, userId: string, row: OutboxRow): void {
    const rows = device.outbox(userId);
    const taken = rows.filter((one) => one.kind === 'delete' && laneOf(one) === laneOf(row) && !one.sentOnce);
    for (const one of taken) this.giveUpDelete(device, one);
  }

  /** A delete is given up, also one that was wished once more after a conflict and goes by another op since. */
  giveUpDelete(device: Device, row: OutboxRow): void {
    this.dropped.add(`delete:${row.op}`);
    const id = this.serverIdOfTarget(device, row.target) ?? row.target;
    const wish = this.wishes.findLast(
      (one) =>
        one.kind === 'delete' &&
        one.device === device &&
        one.type === row.type &&
        (one.target === row.target || this.serverIdOf(one) === id),
    );
    if (wish) this.dropped.add(`delete:${wish.op}`);
  }

  /** The person discards a change: with a record that was never made, everything that hangs on it may go too. */
  giveUp(device: Device, userId: string, row: OutboxRow): void {
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
      this.drop(one);
      if (one.kind === 'delete') this.giveUpDelete(device, one);
      if (one.kind === 'seen') for (const id of one.patch.ids as string[]) this.dropped.add(`seen:${id}`);
      if (one.kind === 'save' || one.kind === 'accept') this.dropped.add(`${one.kind}:${one.target}`);
      for (const id of [one.target, ...one.deps]) {
        const file = files.find((each) => each.id === id);
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
    for (const { name } of wordsIn(row.patch)) this.dropped.add(name);
  }

  /** What may be made anew may be applied once more. */
  allowAgain(body: Record<string, unknown>): void {
    for (const { name } of wordsIn(body)) this.allowance.set(name, (this.allowance.get(name) ?? 0) + 1);
  }
}
