import type { SearchablePerson } from '#lib/match-people.ts';
import type { Message } from '#contract/records/chat.ts';
import type { Connection } from '#contract/records/people.ts';

/** What lies in IndexedDB. Table and index names are in `database.ts`. */

/** A server's copy of a record, never an edit of ours. `body` is the record as `bodyOf` takes it from the wire. */
export interface MirrorRecord<Body extends object = FieldValues> {
  /** 'profile', 'media', 'saved_profile', 'saved_media', 'connection', 'conversation', 'notification' or a section key. */
  type: string;
  /** Server id. */
  id: string;
  /** Profile id for sections and media, null for profiles. */
  parent: string | null;
  body: Body;
  version: number | null;
  /** Deleted on the server while a change of ours still targets it; kept so that it can be made again. */
  gone?: true;
}

export type OpKind =
  'create' | 'update' | 'delete' | 'upload' | 'avatar' | 'save' | 'connect' | 'accept' | 'send' | 'seen';
export type OpState = 'queued' | 'sending' | 'verify' | 'attention';
/** Why a change needs the person. */
export type Reason =
  | 'invalid'
  | 'conflict'
  | 'forbidden'
  | 'toobig'
  | 'wrongtype'
  | 'gone'
  | 'stale'
  | 'unknown-op'
  | 'suspect'
  | 'unsure'
  /** Sending it or storing the answer failed on this device; the server may have it. */
  | 'failed';

export interface OpError {
  /** HTTP status, 0 when no answer came. */
  status: number;
  message: string;
  /** Field → messages, as the server sent them (422). */
  errors?: Record<string, string[]>;
}

/** Fields of a record by name, as its section or schema defines them. */
export type FieldValues = Record<string, unknown>;

/** One intent of the person, in the order they meant it (`seq`). Holds no URL: that is built at send time. */
export interface OutboxRow<Patch extends object = FieldValues> {
  seq: number;
  /** Idempotency key. A changed payload always gets a new one. */
  op: string;
  /** Shape of this row; 0 for one that this version of the app cannot read. */
  v: 0 | 1;
  kind: OpKind;
  type: string;
  /** Canonical id of the record: the local id where there is one, else the server's. */
  target: string;
  /** Canonical profile id, null for a profile. */
  parent: string | null;
  patch: Patch;
  /** Field values before the edit. */
  base: Record<string, unknown>;
  baseVersion: number | null;
  /** Changes given up before this one, or written anew, that the server may have all the same: nobody else's edits. */
  givenUp?: readonly Record<string, unknown>[];
  /** Strictly serial; lanes are independent of each other. */
  lane: string;
  /** Local ids (of records or media) that the server must know first. */
  deps: string[];
  state: OpState;
  reason?: Reason;
  /** Their version of the fields in conflict. */
  theirs?: { body: Record<string, unknown>; version: number | null; deleted?: true };
  tries: number;
  /** True from the moment before the first byte could leave: the payload is frozen under this key. */
  sentOnce: boolean;
  /** Fencing token of the attempt under way. */
  attempt?: string;
  /** The attempt only looks whether the change is on the server already; it sends nothing. */
  checking?: true;
  /** A pull saw deletions while this was on its way: its answer may tell of a record that is gone by now. */
  recheck?: true;
  /** Times the server lost the bytes of this row's file. */
  resent?: number;
  /** Refusals by server trouble in a row (5xx, HTML for JSON). */
  trouble: number;
  /** Not tried before this time (ms since epoch). */
  notBefore: number;
  /** A delete waits for Undo until this passes. */
  hold?: true;
  lastError?: OpError;
  /** Display only; never compared to decide order. */
  createdAt: number;
}

/** A picked file. Its bytes lie in `chunks` until the record it belongs to is acknowledged. */
export interface MediaFile {
  /** Local uuid; also the upload's id on the server. */
  id: string;
  /** importing: bytes still being stored. ready: safe on this device. sent: all bytes are on the server. kept: attached, only the thumbnail stays. */
  state: 'importing' | 'ready' | 'sent' | 'kept';
  name: string;
  type: string;
  size: number;
  sha256: string;
  chunks: number;
  /** Bytes the server has acknowledged. */
  offset: number;
  /** Small JPEG for lists, of a video its poster; absent where the device could not decode it. */
  thumb?: ArrayBuffer;
  width?: number;
  height?: number;
  /** Seconds, as this device played it. */
  duration?: number;
  /** Loudness from beginning to end, 0 to 1. */
  peaks?: number[];
  /** Of the attached record. */
  serverId?: string;
  createdAt: number;
}

export interface MediaChunk {
  media: string;
  n: number;
  bytes: ArrayBuffer;
}

export interface IdPair {
  local: string;
  type: string;
  server: string;
  /** Another local id stood for the record before, and still names it. */
  alias?: true;
}

export interface JournalEntry {
  n?: number;
  op: string;
  kind: OpKind;
  type: string;
  /** How the row read when it moved: 'Credit: Paper Boats'. */
  title: string;
  /** What the server said to a wish about somebody else. */
  said?: string;
  from: OpState | 'new';
  to: OpState | 'done' | 'discarded' | 'replaced';
  status: number | null;
  at: number;
}

/** A message the server has confirmed, as it sent it: never changed afterwards. Its key is its place in the conversation. */
export type MessageRow = Message;

/** How far this person has read a conversation, and how far this device has it; numbers of messages. Never back. */
export interface ReadCursor {
  conversation: string;
  read: number;
  has: number;
  /** What of it the server knows. */
  toldRead: number;
  toldHas: number;
}

/** A form left open, so that it can be picked up again. */
export interface Draft {
  key: string;
  values: Record<string, unknown>;
  at: number;
}

/** Another person's page as it was last opened here, without what they show to few. Reading matter, never mirrored. */
export interface CachedProfilePage {
  /** As in its address: 'meera-kulkarni/actor-performer'. */
  address: string;
  /** Of the profile. */
  id: string;
  profile: Record<string, unknown>;
  /** Rows by section key, and under 'media'. */
  rows: Record<string, Record<string, unknown>[]>;
  /** The same person's profiles, this one among them. */
  others: { id: string; title: string | null; slug: string }[];
  /** The answer's ETag, under the path it came from; none where something of it is not here. */
  tags: Record<string, string>;
  openedAt: number;
  /** Kept on purpose: never makes room for others. */
  kept: boolean;
}

/** Somebody a search found, to be found again without signal. Reading matter, never mirrored. */
export interface SearchHit {
  /** As in the address of their page: 'meera-kulkarni/actor-performer'. */
  address: string;
  at: number;
  person: SearchablePerson;
}

/** What the server offers beyond the bare specification. All false for a server without /config. */
export interface Features {
  keys: boolean;
  versions: boolean;
  uploads: boolean;
  sync: boolean;
}

/** Small facts of the account. */
export type MetaRow =
  | { k: 'lease'; holder: string; beat: number }
  /** Counts sign-ins, so that a refusal of an older token does not pause the newer one. */
  | { k: 'sign-ins'; count: number }
  /** Present while the server refuses the token: nothing leaves the queue. */
  | { k: 'auth-paused'; at: number }
  /** The server asked for quiet from then until then (ms since epoch). */
  | { k: 'quiet'; since: number; until: number }
  /** The person's last writes that are on the disk, the newest first: one whose report was lost is not made again. */
  | { k: 'writes'; names: string[] }
  | { k: 'features'; value: Features }
  /** Of one file, as the server last said. */
  | { k: 'upload-limit'; bytes: number }
  /** Written when the store is made: without it, a store was taken away by the browser. */
  | { k: 'born'; at: number }
  /** Written when everything the server has for this person has come once. */
  | { k: 'pulled'; at: number }
  /** The own profile that stands at Home, by canonical id. */
  | { k: 'home'; profile: string }
  /** What was looked for last, the newest first. */
  | { k: 'searches'; words: string[] }
  /** A list to choose from, kept for a day without signal. */
  | { k: `lookup:${string}`; items: { id: string; name: string; icon?: string; count?: number }[] }
  /** Whom the server last suggested to connect with. */
  | { k: 'suggestions'; people: Connection[] };
