import type { SearchablePerson } from '#lib/match-people.ts';
import type { Privacy } from '#contract/records/account.ts';
import type { MediaType } from '#contract/media-types.ts';
import type { LostRecord } from '#contract/records/devices.ts';
import type { Message } from '#contract/records/chat.ts';
import type { Connection } from '#contract/records/people.ts';

/** The shapes of the rows in IndexedDB. Table and index names are in `database.ts`. */

/** The server's copy of a record, never with a local edit. `body` is the wire record as converted by `bodyOf`. */
export interface MirrorRecord<Body extends object = FieldValues> {
  /**
   * 'profile', 'media', 'saved_profile', 'saved_media', 'connection', 'conversation', 'notification', 'availability', 'project',
   * 'project_member', 'role', 'candidate', 'link', 'request', 'audition', 'tape', 'mark' or a section key.
   */
  type: string;
  /** Server id. */
  id: string;
  /** Id of the record that it belongs to (see `getParentType`): the profile of a section's row; null for profiles. */
  parent: string | null;
  body: Body;
  version: number | null;
  /** Deleted on the server while a queued change still targets it. Kept, so that the user can recreate it. */
  gone?: true;
}

export type OpKind =
  'create' | 'update' | 'delete' | 'upload' | 'avatar' | 'save' | 'connect' | 'accept' | 'send' | 'seen' | 'act';
export type OpState = 'queued' | 'sending' | 'verify' | 'attention';
/** Why a change needs attention. */
export type Reason =
  | 'invalid'
  | 'conflict'
  | 'forbidden'
  /** The person's e-mail address has to be confirmed first. Sent again once it is. */
  | 'unconfirmed'
  | 'toobig'
  | 'wrongtype'
  | 'gone'
  | 'stale'
  | 'unknown-op'
  | 'suspect'
  | 'unsure'
  /** Sending it or storing the response failed on this device. The server may have it. */
  | 'failed';

export interface OpError {
  /** HTTP status, 0 when there was no response. */
  status: number;
  message: string;
  /** Field → messages, as the server sent them (422). */
  errors?: Record<string, string[]>;
  /** The rules that a refused request to audition breaks, as the server sent them. */
  breaches?: unknown;
}

/** Fields of a record by name, as its section or schema defines them. */
export type FieldValues = Record<string, unknown>;

/**
 * One change of the user, in the order in which they made it (`seq`). Holds no URL; the URL is built when it is sent.
 */
export interface OutboxRow<Patch extends object = FieldValues> {
  seq: number;
  /** Idempotency key. A changed payload always gets a new one. */
  op: string;
  /** Version of the row's shape: 1. Another version of the app writes another one; 0 means that fields are missing. */
  v: number;
  kind: OpKind;
  type: string;
  /** Canonical id of the record: the local id if there is one, else the server's. */
  target: string;
  /** Canonical id of the record that it belongs to, null for a profile. */
  parent: string | null;
  patch: Patch;
  /** Field values before the edit. */
  base: Record<string, unknown>;
  baseVersion: number | null;
  /**
   * Patches of discarded or rewritten changes that the server may have applied. A merge must not take them for others'
   * edits.
   */
  givenUp?: readonly Record<string, unknown>[];
  /** Rows of a lane are sent strictly in order; lanes are independent of each other. */
  lane: string;
  /** Local ids of records or media that the server must have first. */
  deps: string[];
  state: OpState;
  reason?: Reason;
  /** Their version of the fields in conflict. */
  theirs?: { body: Record<string, unknown>; version: number | null; deleted?: true };
  tries: number;
  /** True from before the first attempt on: the payload is frozen under this key. */
  sentOnce: boolean;
  /**
   * When the change was written into a sealed file, ms since the epoch. Another device may send it from there at any time,
   * so its payload is frozen under this key as if it had been sent.
   */
  sealedAt?: number;
  /**
   * When this device read the change from a sealed file, ms since the epoch; undefined for its own changes. Changes from
   * different origins are in no order: a later row is a later wish only if both have the same origin. 0 for a change that the
   * engine had to queue behind such ones.
   */
  openedAt?: number;
  /** What this device showed in the fields of the change until it read it from a sealed file. Its own changes have that in `base`. */
  shown?: Record<string, unknown>;
  /** The user has asked to send this sealed change although it is old. */
  isConfirmed?: true;
  /** The fields of a sealed change as they are sent. Another device may know other ids for the same names. */
  wire?: Record<string, unknown>;
  /** Fencing token of the current attempt. */
  attempt?: string;
  /** The attempt starts with an existence check, and sends the change only if the server does not have it. */
  checking?: true;
  /**
   * A pull read records while this row was being sent, so its response may describe one that was deleted since, or an
   * older state of one without a version.
   */
  recheck?: true;
  /** How often the server lost the bytes of this row's file. */
  resent?: number;
  /** Number of consecutive server errors (5xx, or HTML instead of JSON). */
  trouble: number;
  /** Not sent before this time, ms since the epoch. */
  notBefore: number;
  /** A delete that can be undone until `notBefore`. */
  hold?: true;
  /** A worker has met what only a page can do for this row, such as a conflict. Workers leave it alone until a page has done that. */
  forPage?: true;
  lastError?: OpError;
  /** Display only; never used for ordering. */
  createdAt: number;
}

/** A picked file. Its bytes are in `chunks` until its record is acknowledged. */
export interface MediaFile {
  /** Local UUID; also the upload's id on the server. */
  id: string;
  /**
   * importing: the bytes are being stored. ready: all bytes are on this device. sent: all bytes are on the server.
   * kept: attached to its record, only the thumbnail is left.
   */
  state: 'importing' | 'ready' | 'sent' | 'kept';
  name: string;
  type: string;
  size: number;
  sha256: string;
  chunks: number;
  /** Bytes that the server has acknowledged. */
  offset: number;
  /** When its sending last broke off, ms since the epoch; while it is being sent, when its last piece arrived. */
  cutAt?: number;
  /** The user wants it sent over mobile data, too, although large files wait for Wi-Fi. */
  anyNetwork?: true;
  /**
   * Present if the bytes go to the operator's bucket, in parts of this size; `digests` has the SHA-256 of each part, as far as they are
   * computed.
   */
  direct?: { partBytes: number; digests?: string[] } | undefined;
  /** Small JPEG for lists; of a video, its poster. Absent when the device could not decode the file. */
  thumb?: ArrayBuffer;
  /** JPEG of some frames of a take, side by side. Absent for other files, and when the device could not make it. */
  strip?: ArrayBuffer;
  width?: number;
  height?: number;
  /** Seconds, as this device played it. */
  duration?: number;
  /** Waveform peaks, normalized to 0–1. */
  peaks?: number[];
  /** Server id of the attached record. */
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
  /** Another local id named the record before, and still does. */
  alias?: true;
}

export interface JournalEntry {
  n?: number;
  op: string;
  kind: OpKind;
  type: string;
  /** The row's title at that time: 'Credit: Paper Boats'. */
  title: string;
  /** The server's message to an intent toward another person. */
  said?: string;
  from: OpState | 'new';
  to: OpState | 'done' | 'discarded' | 'replaced';
  status: number | null;
  /** What support should know about it. */
  note?: string;
  /** The record that the response changed in the mirror and that has no version. */
  unversioned?: [type: string, id: string];
  at: number;
}

/** A message that the server confirmed, as sent by it. Its key is its sequence number in the conversation. */
export type MessageRow = Message;

/**
 * How far the user has read a conversation, and how far this device has received it. Sequence numbers; never decrease.
 */
export interface ReadCursor {
  conversation: string;
  read: number;
  has: number;
  /** The values of `read` and `has` that the server knows. */
  toldRead: number;
  toldHas: number;
}

/** The input of an unfinished form. */
export interface Draft {
  key: string;
  values: Record<string, unknown>;
  at: number;
}

/**
 * Another person's profile page as last opened, without what only some people may see. Read-only and not in the mirror.
 */
export interface CachedProfilePage {
  /** As in its URL: 'meera-kulkarni/actor-performer'. */
  address: string;
  /** Id of the profile. */
  id: string;
  profile: Record<string, unknown>;
  /** Rows by section key, and media under 'media'. */
  rows: Record<string, Record<string, unknown>[]>;
  /** All profiles of the same person, including this one. */
  others: { id: string; title: string | null; slug: string }[];
  /** ETags of the responses, by path; empty when part of them is not stored. */
  tags: Record<string, string>;
  openedAt: number;
  /** Pinned by the user: never deleted to make room. */
  kept: boolean;
}

/** A person whom a search found, so that they can be found offline. Read-only and not in the mirror. */
export interface SearchHit {
  /** As in the URL of their page: 'meera-kulkarni/actor-performer'. */
  address: string;
  at: number;
  person: SearchablePerson;
}

/** The extensions that the server offers beyond the basic API. All false for a server without /config. */
export interface Features {
  keys: boolean;
  versions: boolean;
  uploads: boolean;
  sync: boolean;
}

/** Why a recording ended, other than by the person. A take that ended in any of these ways is whole up to that moment. */
export type TakeEnd = 'person' | 'hidden' | 'camera' | 'microphone' | 'battery' | 'full' | 'failed' | 'closed';

/**
 * One recording of the tape booth. Its video is not in this row: with `storage` 'folder' it lies in the origin private file
 * system, with 'slices' in the table of that name.
 */
export interface Take {
  id: string;
  /** recording: it is being written, or was when the app ended. sealed: whole. deleted: its files are being removed. */
  state: 'recording' | 'sealed' | 'deleted';
  storage: 'folder' | 'slices';
  name: string;
  /** As the recorder gave it: 'video/mp4;codecs=avc1.64001F,opus'. */
  mime: string;
  /** ms since the epoch */
  startedAt: number;
  bytes: number;
  /** Seconds. Of a take that could not be opened yet, as the recorder counted them. */
  duration: number;
  /** Pixels; null until the take was opened once. */
  size: { width: number; height: number } | null;
  /** What it was recorded for: the audition's server id, and the name of its role and project. */
  audition?: { id: string; title: string };
  /** 0 to 5. */
  stars: number;
  /** The part that the person chose, in seconds; null for all of it. */
  range: { from: number; to: number } | null;
  /** null while it is being recorded */
  end: TakeEnd | null;
  /** The person has not been told yet that the take was saved after the app had ended. */
  isUntold?: true;
  /** The finished MP4 in the take's folder, and the range that it was made of. */
  copy?: { sha256: string; size: number; duration: number; provenAt: number; range: Take['range'] };
}

/** A part of a take on devices without the origin private file system. Never changes. */
export interface TakeSlice {
  take: string;
  n: number;
  bytes: ArrayBuffer;
  /** When the recorder delivered it, in milliseconds since the start of the take. */
  endMs: number;
}

/** A small JPEG of a take for lists. Never changes. */
export interface TakePoster {
  take: string;
  jpeg: ArrayBuffer;
}

/** Small values of the account, by key. */
export type MetaRow =
  | { k: 'lease'; holder: string; beat: number }
  /** Number of sign-ins, so that a refusal of an older token does not pause the newer one. */
  | { k: 'sign-ins'; count: number }
  /** Present while the server refuses the token: nothing is sent. */
  | { k: 'auth-paused'; at: number }
  /** The rate limit of the server, from `since` until `until` (ms since the epoch). */
  | { k: 'quiet'; since: number; until: number }
  /** The account is suspended: nothing is sent from `since` until `until`, when it asks again. Reading goes on. */
  | { k: 'suspended'; since: number; until: number }
  /** Names of the user's last committed writes, newest first, so that a retry does not repeat one. */
  | { k: 'writes'; names: string[] }
  | { k: 'features'; value: Features }
  /** What had to be added to this device's clock to get the server's, ms, and when it was measured. */
  | { k: 'clock'; offset: number; at: number }
  /** Maximum size of one file by its kind, as the server last reported it; and the size of a part, if it has videos sent to a bucket. */
  | { k: 'upload-limits'; bytes: Readonly<Record<MediaType, number>>; directPartBytes?: number }
  /**
   * Written when the store is created. Shows whether the browser has evicted an earlier one. `isNew`: nothing on this device says that an
   * earlier store was deleted on purpose.
   */
  | { k: 'born'; at: number; isNew?: true }
  /** What the server heard last about the waiting changes. Present once it knows of this store. */
  | { k: 'told'; text: string }
  /** Changes that were lost with the storage of this or another device, until the person dismisses them. */
  | { k: 'lost'; devices: readonly LostRecord[] }
  /** Written when the first pull is complete. */
  | { k: 'pulled'; at: number }
  /** Present if the user wants this device to send large files only on Wi-Fi. */
  | { k: 'wifi-only' }
  /** Canonical id of the own profile that Home shows. */
  | { k: 'home'; profile: string }
  /** What the server last said about the age of the person and about what they show to visitors. For the CV, which is made offline. */
  | { k: 'person-sight'; isMinor: boolean; privacy: Privacy }
  /** The person's settings of the tape booth on this device, and the text of its prompter. */
  | { k: 'booth'; settings: Record<string, unknown> }
  /** The other person's lines, which the booth plays while a take is running: for takes of one audition, or for all others. */
  | { k: 'booth-cue' | `booth-cue:${string}`; name: string; type: string; bytes: ArrayBuffer; savedAt: number }
  /** What the person has set in the booth for one audition, by its server id. */
  | { k: `booth:${string}`; settings: Record<string, unknown> }
  /** The token of a share link that was made here, by its SHA-256, until the person has passed the address on. */
  | { k: `link-token:${string}`; token: string }
  /** Paths of the PDFs of auditions that this device has fetched, so that it can remove them with their audition. */
  | { k: 'kept-sides'; paths: string[] }
  /** Recent searches, newest first. */
  | { k: 'searches'; words: string[] }
  /** Edits that were given up here although the server may have applied them, newest first, with the version of their record here. */
  | { k: 'given-up'; edits: readonly { type: string; id: string; version: number | null; patch: FieldValues }[] }
  /** A list of choices, stored for use offline. */
  | { k: `lookup:${string}`; items: { id: string; name: string; icon?: string; count?: number }[] }
  /** The last connection suggestions of the server. */
  | { k: 'suggestions'; people: Connection[] };
