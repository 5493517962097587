import { sectionOf } from '#contract/sections/index.ts';
import type { MediaFile, OutboxRow } from '#db/rows.ts';
import type { Device } from '../device.ts';
import type { SeenNotification } from '#sync/queue/mark-seen.ts';
import { markersIn, wordsIn } from '../markers.ts';
import { getLane } from './lanes.ts';

/** One act of the person that wrote something, with what the person saw and was told. */
export interface Intent {
  marker: number;
  device: Device;
  userId: string;
  type: string;
  kind: 'create' | 'update' | 'delete' | 'photo' | 'avatar' | 'save' | 'connect' | 'accept' | 'seen';
  /** Canonical id on that device. Null until a create returns. */
  target: string | null;
  op: string | null;
  fields: Record<string, unknown>;
  /** Earlier values that the person could see, by field. */
  seen: Map<string, Set<unknown>>;
  /** Whether its form was open for some time, so that the person may not have seen what happened meanwhile. */
  isSlow?: true;
  /** Digest of the file, for photos and avatars. */
  sha256?: string;
  /** The intents of a refused change that this one corrects. */
  corrects?: readonly Intent[];
  /** The page in which the person did it; none for what happens on the server. */
  page?: { readonly diedAt: number };
  /** Virtual time in milliseconds at which the person did it. */
  askedAt?: number;
  /** Virtual time in milliseconds at which the app confirmed the save. */
  savedAt?: number;
  /** Notifications that the person saw. */
  notifications?: readonly SeenNotification[];
  /**
   * `unsure`: the page crashed or the storage failed before the app confirmed. `taken`: the browser deleted the store.
   */
  state: 'asked' | 'accepted' | 'refused' | 'unsure' | 'withdrawn' | 'taken';
}

/** Records what the person did, was told and abandoned, and the ids involved. Checks nothing. */
export class IntentLog {
  readonly intents: Intent[] = [];
  /** `marker:field` of values that the person abandoned. */
  readonly abandoned = new Set<string>();
  /** Records that were never made and that the person discarded, with what another tab adds to them meanwhile. */
  readonly discarded = new Set<string>();
  /** Additional times that the server may apply each `marker:field`, or store each file, by digest. */
  readonly allowance = new Map<string, number>();
  /** The last time at which each notification that a person has seen was raised, by id. */
  readonly seenNotifications = new Map<string, Map<string, string>>();
  /** Records that the person recreated, as they were shown. `after`: marker of the last act before. */
  readonly recreated: { device: Device; type: string; body: Record<string, unknown>; after: number }[] = [];
  /** Server ids of the records created with a marker, by `device marker`. A record may be recreated. */
  readonly #createdBy = new Map<string, string[]>();

  /** Devices with a sealed file that no other device has opened completely. */
  readonly unopened = new Set<Device>();
  /** Devices that opened a sealed file, by the device that wrote it. */
  readonly #openers = new Map<Device, Set<Device>>();

  /** Records that a device opened a sealed file of another one and may send its changes too. */
  recordOpened(from: Device, on: Device): void {
    this.#openers.set(from, (this.#openers.get(from) ?? new Set()).add(on));
  }

  /** Returns the devices on which the changes of a device may wait: itself and those that opened its sealed files. */
  getHolders(device: Device): Device[] {
    return [...new Set([device, ...(this.#openers.get(device) ?? [])])].filter((one) => !one.isLost);
  }

  /** Tells whether another device has opened a sealed file of this one. */
  hasOpeners(device: Device): boolean {
    return this.#openers.has(device);
  }

  /** Tells whether two devices are one or share changes through a sealed file. */
  isShared(one: Device, other: Device): boolean {
    return one === other || !!this.#openers.get(one)?.has(other) || !!this.#openers.get(other)?.has(one);
  }

  recordIntent(intent: Omit<Intent, 'marker' | 'state' | 'op'>): Intent {
    const made: Intent = { ...intent, marker: this.intents.length + 1, state: 'asked', op: null };
    this.intents.push(made);
    return made;
  }

  /** Marks the intents of a deleted store. It is unknown which of them reached the server. */
  markEvicted(device: Device, userId: string): void {
    for (const intent of this.intents) {
      if (intent.device === device && intent.userId === userId && intent.state !== 'refused') intent.state = 'taken';
    }
  }

  recordSeenNotifications(userId: string, seen: readonly SeenNotification[]): void {
    const times = this.seenNotifications.get(userId) ?? new Map<string, string>();
    for (const { id, created_at } of seen)
      times.set(id, created_at > (times.get(id) ?? '') ? created_at : times.get(id)!);
    this.seenNotifications.set(userId, times);
  }

  getIntent(marker: number): Intent | undefined {
    return this.intents[marker - 1];
  }

  /** Returns the intents whose markers a row carries. */
  getIntentsIn(row: OutboxRow): Intent[] {
    return markersIn(row.patch).flatMap((marker) => this.getIntent(marker) ?? []);
  }

  /** Returns the same device's intents for the record of a row. */
  getIntentsForRecord(device: Device, row: OutboxRow): Intent[] {
    const keys = new Set(this.getIntentsIn(row).map((intent) => this.getKey(intent)));
    return this.intents.filter((intent) => this.isShared(intent.device, device) && keys.has(this.getKey(intent)));
  }

  /** Records that a device created a record with a marker. */
  recordCreated(device: string, marker: number, id: string): void {
    const name = `${device} ${marker}`;
    this.#createdBy.set(name, [...(this.#createdBy.get(name) ?? []), id]);
  }

  /** Returns the server ids of the records that a device created with a marker. */
  getAllCreatedWith(device: Device, marker: number): readonly string[] {
    const names = [...this.#openers]
      .filter(([from]) => this.isShared(from, device))
      .flatMap(([from, on]) => [from, ...on]);
    return [...new Set([...names, device])].flatMap(({ name }) => this.#createdBy.get(`${name} ${marker}`) ?? []);
  }

  /** Returns the server id of the record that a device last created with a marker, or null. */
  getCreatedWith(device: Device, marker: number): string | null {
    return this.getAllCreatedWith(device, marker).at(-1) ?? null;
  }

  /**
   * Updates the target: a recreated record has a new id, and a record whose page crashed before the create returned has
   * one, too.
   */
  retarget(device: Device, row: OutboxRow): void {
    for (const intent of this.getIntentsIn(row)) {
      if (intent.device !== device || intent.type !== row.type || intent.target === row.target) continue;
      const key = this.getKey(intent);
      // All intents are found before any changes, because the key depends on the target of the creating intent.
      const same = this.intents.filter(
        (one) => one.target !== null && one.device === device && this.getKey(one) === key,
      );
      if (intent.target !== null) for (const one of same) one.target = row.target;
      intent.target = row.target;
    }
  }

  /**
   * Tells whether one act can have been stored after another: because it was done later, or because it was still being
   * stored in another page when the other was done. Pages store in turn only what was done in themselves.
   */
  #mayFollow(one: Intent, other: Intent): boolean {
    if (one.marker > other.marker) return true;
    const isElsewhere = one.page !== undefined && other.page !== undefined && one.page !== other.page;
    if (!isElsewhere || one.state === 'refused' || one.state === 'unsure') return false;
    return (one.savedAt ?? one.page!.diedAt) >= other.askedAt!;
  }

  /** Tells whether the same person on the same device later wrote the field again or removed the record. */
  isSuperseded(intent: Intent, field: string): boolean {
    const key = this.getKey(intent);
    return this.intents.some((later) => {
      if (!this.#mayFollow(later, intent) || later.state === 'withdrawn') return false;
      if (!this.isShared(later.device, intent.device)) return false;
      if (later.state === 'refused') return false;
      // A correction is about the same record, also where that was made anew under another id.
      if (this.getKey(later) !== key && !later.corrects?.includes(intent)) return false;
      return later.kind === 'delete' || field in later.fields;
    });
  }

  /** Returns one key for a record on one device, whichever of its ids is in use. */
  getKey(intent: Intent): string {
    return `${intent.userId}/${intent.type === 'about_me' ? 'profile' : intent.type}/${this.getServerId(intent) ?? String(intent.target)}`;
  }

  /** Returns the server id of an intent's record according to the ledger, or null if the server never received it. */
  getServerId(intent: Intent): string | null {
    if (intent.target === null) return null;
    return /^\d+$/.test(intent.target) ? intent.target : this.getServerIdOfTarget(intent.device, intent.target);
  }

  /** Tells whether a delete was undone or canceled by a later edit. */
  isWithdrawn(intent: Intent): boolean {
    if (intent.state === 'withdrawn' || intent.state === 'unsure') return true;
    const key = this.getKey(intent);
    const isListOfOne = sectionOf(intent.type)?.maxItems === 1;
    return this.intents.some((later) => {
      if (!this.#mayFollow(later, intent) || !this.isShared(later.device, intent.device)) return false;
      if (later.kind === 'update') return this.getKey(later) === key;
      // A create in a list of one edits the existing record, if any. Only then is its target known.
      const isWritten = later.kind === 'create' && later.type === intent.type && isListOfOne;
      return isWritten && (later.target === null || this.getKey(later) === key);
    });
  }

  getServerIdOfTarget(device: Device, target: string): string | null {
    for (const one of this.intents) {
      const isOwn = one.target === target && this.isShared(one.device, device);
      const id = isOwn ? this.getCreatedWith(device, one.marker) : null;
      if (id !== null) return id;
    }
    return null;
  }

  /** Sending a change again, or making its record anew, cancels an unsent delete of that record. */
  withdrawDelete(device: Device, userId: string, row: OutboxRow): void {
    const rows = device.outbox(userId);
    const taken = rows.filter((one) => one.kind === 'delete' && getLane(one) === getLane(row) && !one.sentOnce);
    for (const one of taken) this.abandonDelete(device, one);
  }

  /** The person makes a record anew that they deleted on a device with the same changes: the delete is done. */
  withdrawSharedDelete(device: Device, row: OutboxRow): void {
    const id = this.getServerIdOfTarget(device, row.target) ?? row.target;
    for (const one of this.intents) {
      const isShared = one.device !== device && this.isShared(one.device, device);
      const isSame = one.target === row.target || this.getServerId(one) === id;
      if (isShared && one.kind === 'delete' && one.type === row.type && isSame) this.abandoned.add(`delete:${one.op}`);
    }
  }

  /** Marks a delete as abandoned, even if it was retried after a conflict under another key. */
  abandonDelete(device: Device, row: OutboxRow): void {
    this.abandoned.add(`delete:${row.op}`);
    const id = this.getServerIdOfTarget(device, row.target) ?? row.target;
    const intent = this.intents.findLast(
      (one) =>
        one.kind === 'delete' &&
        this.isShared(one.device, device) &&
        one.type === row.type &&
        (one.target === row.target || this.getServerId(one) === id),
    );
    if (intent) this.abandoned.add(`delete:${intent.op}`);
  }

  /** The person discards a change. Discarding an unsent create also discards everything that depends on its record. */
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

  /** Marks everything written so far to a never created record as abandoned. */
  abandonRecord(device: Device, target: string): void {
    this.discarded.add(target);
    for (const intent of this.intents) {
      if (!this.isShared(intent.device, device) || intent.target !== target) continue;
      for (const field of Object.keys(intent.fields)) this.abandoned.add(`${intent.marker}:${field}`);
    }
  }

  abandonWords(row: OutboxRow): void {
    for (const { name } of wordsIn(row.patch)) this.abandoned.add(name);
  }

  /** Allows the server to apply the marked values once more, because the record may be recreated. */
  allowAgain(body: Record<string, unknown>): void {
    for (const { name } of wordsIn(body)) this.allowance.set(name, (this.allowance.get(name) ?? 0) + 1);
  }

  /** Allows the server to store a file once more, because the person asks for it anew. */
  allowFileAgain(digest: string): void {
    this.allowance.set(digest, (this.allowance.get(digest) ?? 0) + 1);
  }
}
