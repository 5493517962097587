import { createHash } from 'node:crypto';
import type { DayRecord } from '#contract/records/availability.ts';
import { markerIn } from '../markers.ts';
import type { FakeChat } from './chat-routes.ts';

export type Body = Record<string, unknown>;

/** One change of the server's state. Only the store writes entries. */
export interface LedgerEntry {
  n: number;
  /** The device that sent the request, or 'web' for the person's other computer. */
  device: string;
  userId: string;
  kind: 'create' | 'update' | 'delete';
  type: string;
  id: string;
  parent: string | null;
  before: Body;
  after: Body;
}

export interface StoredRow {
  type: string;
  id: string;
  userId: string;
  profileId: string;
  body: Body;
  version: number;
  clientId: string | null;
  /** Virtual milliseconds since the run began. */
  created: number;
}

export interface StoredUpload {
  id: string;
  userId: string;
  length: number;
  bytes: Buffer;
  /** Number of bytes received, including repeated ones. */
  received: number;
  sha256: string | null;
  used: boolean;
}

/** Something that a person did with a record of casting, as often as it took effect. */
export interface DoneAct {
  act: string;
  type: string;
  id: string;
  userId: string;
  device: string;
  markers: number[];
}

/** Types of records without a parent. */
const ROOTS = new Set(['profile', 'saved_profile', 'saved_media', 'connection', 'notification', 'project']);

interface Change {
  n: number;
  type: string;
  id: string;
  parent: string | null;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The server's state: users, profiles, rows, media, uploads and a ledger of every change. */
export class FakeStore {
  readonly users = new Map<string, { id: string; name: string }>();
  readonly tokens = new Map<string, string>();
  /** People who have to confirm their e-mail address before they may reach others. */
  readonly unconfirmed = new Set<string>();
  readonly rows = new Map<string, StoredRow>();
  readonly uploads = new Map<string, StoredUpload>();
  /** Uploads that were attached to a record. */
  readonly attached: StoredUpload[] = [];
  readonly ledger: LedgerEntry[] = [];
  /** How often each marker changed each field, for example `12:experience_title` → 1. */
  readonly applied = new Map<string, number>();
  /** `marker:field` of values that the server received and ignored, as the contract allows. */
  readonly absorbed = new Set<string>();
  readonly deletes = new Map<string, number>();
  /** Files that became a photo or an avatar, in order. */
  readonly files: { sha256: string; userId: string; id: string; as: 'media' | 'avatar' }[] = [];
  /** Cursors of earlier generations are invalid. */
  cursorGeneration = 0;
  onFile: ((digest: string, userId: string, as: 'media' | 'avatar') => void) | null = null;
  onChange: ((entry: LedgerEntry) => void) | null = null;
  /** What people did with records of casting, in order. */
  readonly acts: DoneAct[] = [];
  readonly #days = new Map<string, Map<string, DayRecord>>();
  /** By id. */
  readonly chats = new Map<string, FakeChat>();
  /**
   * By type, functions that present a shared record to one user in /sync. They return null if the user sees nothing.
   */
  readonly presenters = new Map<string, (id: string, userId: string, isFirst: boolean) => Body | null>();
  readonly #now: () => number;
  readonly #changes = new Map<string, Change[]>();
  #counter = 0;
  #nextId = 1;

  constructor(now: () => number) {
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  newId(): string {
    return String(this.#nextId++);
  }

  key(type: string, id: string): string {
    return `${type}:${id}`;
  }

  /** What a person has said about their days, by id. */
  daysOf(userId: string): Map<string, DayRecord> {
    const days = this.#days.get(userId) ?? new Map<string, DayRecord>();
    this.#days.set(userId, days);
    return days;
  }

  row(type: string, id: string): StoredRow | undefined {
    return this.rows.get(this.key(type, id));
  }

  rowsOf(type: string, profileId: string): StoredRow[] {
    return [...this.rows.values()].filter((row) => row.type === type && row.profileId === profileId);
  }

  profilesOf(userId: string): StoredRow[] {
    return [...this.rows.values()].filter((row) => row.type === 'profile' && row.userId === userId);
  }

  insert(row: Omit<StoredRow, 'version' | 'created'>, device: string): StoredRow {
    const stored = { ...row, version: 1, created: Math.floor(this.#now()) };
    this.rows.set(this.key(row.type, row.id), stored);
    this.#note(stored, device, 'create', {}, row.body);
    return stored;
  }

  change(row: StoredRow, patch: Body, device: string): void {
    const before: Body = {};
    const after: Body = {};
    for (const [field, value] of Object.entries(patch)) {
      if (row.body[field] === value) continue;
      before[field] = row.body[field];
      after[field] = value;
    }
    Object.assign(row.body, patch);
    row.version += 1;
    this.#note(row, device, 'update', before, after);
  }

  storeFile(bytes: Uint8Array, userId: string, id: string, as: 'media' | 'avatar'): string {
    const digest = sha256(bytes);
    this.files.push({ sha256: digest, userId, id, as });
    this.onFile?.(digest, userId, as);
    return digest;
  }

  remove(row: StoredRow, device: string): void {
    this.rows.delete(this.key(row.type, row.id));
    this.deletes.set(this.key(row.type, row.id), (this.deletes.get(this.key(row.type, row.id)) ?? 0) + 1);
    this.#note(row, device, 'delete', row.body, {});
    // A deleted item cannot stay saved.
    const saved = row.type === 'media' ? this.row('saved_media', row.id) : undefined;
    if (saved) this.remove(saved, 'web');
  }

  #note(row: StoredRow, device: string, kind: LedgerEntry['kind'], before: Body, after: Body): void {
    const parent = ROOTS.has(row.type) ? null : row.profileId;
    const entry: LedgerEntry = {
      n: this.ledger.length,
      device,
      userId: row.userId,
      kind,
      type: row.type,
      id: row.id,
      parent,
      before: { ...before },
      after: { ...after },
    };
    this.ledger.push(entry);
    for (const [field, value] of Object.entries(after)) {
      const marker = markerIn(value);
      if (marker === null) continue;
      this.applied.set(`${marker}:${field}`, (this.applied.get(`${marker}:${field}`) ?? 0) + 1);
    }
    this.recordChange(row.userId, row.type, row.id, parent);
    if (row.type === 'profile') this.recordChange(row.userId, 'about_me', row.id, row.id);
    // Saved copies of an item change with it.
    if (row.type === 'media' && this.row('saved_media', row.id)) {
      this.recordChange(row.userId, 'saved_media', row.id, null);
    }
    this.onChange?.(entry);
  }

  recordChange(userId: string, type: string, id: string, parent: string | null): void {
    const changes = (this.#changes.get(userId) ?? []).filter((change) => change.type !== type || change.id !== id);
    changes.push({ n: ++this.#counter, type, id, parent });
    this.#changes.set(userId, changes);
  }

  /** Latest change of each record after `since`, oldest first. */
  changesAfter(userId: string, since: number): Change[] {
    return (this.#changes.get(userId) ?? []).filter((change) => change.n > since);
  }

  get counter(): number {
    return this.#counter;
  }
}
