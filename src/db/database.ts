import { Dexie, type Table } from 'dexie';
import type {
  Draft,
  IdPair,
  JournalEntry,
  MediaChunk,
  MediaFile,
  MessageRow,
  MetaRow,
  MirrorRecord,
  OutboxRow,
  ReadCursor,
  SearchHit,
  CachedProfilePage,
  Take,
  TakePoster,
  TakeSlice,
} from './rows.ts';
import { readableRow } from './readable.ts';

/** The store of one account. Several users of one device never share one. */
export class AccountDb extends Dexie {
  declare records: Table<MirrorRecord, [string, string]>;
  declare outbox: Table<OutboxRow, number, Omit<OutboxRow, 'seq'>>;
  declare ids: Table<IdPair, string>;
  declare media: Table<MediaFile, string>;
  declare chunks: Table<MediaChunk, [string, number]>;
  /** `types`: of the feed, the record types that the release knew which pulled up to there. */
  declare cursors: Table<{ resource: string; value: string; types?: string }, string>;
  declare meta: Table<MetaRow, string>;
  declare journal: Table<JournalEntry, number>;
  declare drafts: Table<Draft, string>;
  declare visited: Table<CachedProfilePage, string>;
  declare messages: Table<MessageRow, [string, number]>;
  declare readings: Table<ReadCursor, string>;
  declare seen: Table<SearchHit, string>;
  declare takes: Table<Take, string>;
  declare slices: Table<TakeSlice, [string, number]>;
  declare posters: Table<TakePoster, string>;
  readonly userId: string;
  /** Called when the connection is lost and cannot be reopened. The page sets it to report the loss. */
  onConnectionLost: () => void = () => undefined;

  constructor(
    name: string,
    userId: string,
    options: { indexedDB?: IDBFactory; IDBKeyRange?: typeof IDBKeyRange } = {},
  ) {
    // Strict: Chromium's default reports success before the data is on disk, and phones run out of power.
    // No cache: it would show changes before they are on disk, and the build leaves its code out.
    super(name, { chromeTransactionDurability: 'strict', cache: 'disabled', ...options });
    this.userId = userId;
    this.version(1).stores({
      records: '[type+id], [type+parent]',
      outbox: '++seq, &op, lane',
      ids: 'local, &[type+server]',
      media: 'id, serverId',
      chunks: '[media+n]',
      cursors: 'resource',
      meta: 'k',
      journal: '++n',
      drafts: 'key',
    });
    this.version(2).stores({ visited: 'address, id, openedAt' });
    // By profile first, so that one read returns everything a page shows.
    this.version(3).stores({ records: '[type+id], [parent+type]' });
    // By sequence number, so that any part of a conversation is one short range read, however long it is.
    this.version(4).stores({ messages: '[conversation_id+seq]', readings: 'conversation' });
    this.version(5).stores({ seen: 'address, at' });
    // Two local ids can lead to one server record. The outbox indexes let screens read only the rows they show.
    this.version(6).stores({
      ids: 'local, [type+server]',
      outbox: '++seq, &op, lane, target, *deps, [state+notBefore], [parent+type]',
    });
    // By state, so that a start without an interrupted recording reads nothing.
    this.version(7).stores({ takes: 'id, state', slices: '[take+n]', posters: 'take' });
    this.outbox.hook('reading', readableRow);
  }
}

/** The name of an account's store: one per server origin and user. */
export function accountDbName(apiBase: string, userId: string): string {
  let hash = 0x811c9dc5;
  for (const char of apiBase) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return `app:${hash.toString(16)}:${userId}`;
}
