import type { OpError, OutboxRow, Reason } from './rows.ts';

/**
 * Sync state. saved: on the server. phone: only on this device. sending: request in flight. needs: waits for the user.
 */
export type SaveState = 'saved' | 'phone' | 'sending' | 'needs';

/** A record for display: the mirror with the pending changes over it. */
export interface Item {
  /** Key for React. Stays the same when the server's id arrives. */
  key: string;
  /** Canonical id, for calls to the engine. */
  id: string;
  /** Other local ids of the record, which an open form may still use. */
  aliases?: string[];
  serverId: string | null;
  type: string;
  parent: string | null;
  body: Record<string, unknown>;
  state: SaveState;
  /** The first change that needs attention, or else the first that waits. */
  op?: string;
  reason?: Reason;
  error?: OpError;
  /** The delete that hides the item and can still be undone. */
  removedBy?: string;
}

/** A change in "Waiting to send". An upload and the change that attaches it are one item. */
export interface WaitingItem {
  /** The key of `row`. Several changes that share a refused file have the same one. */
  op: string;
  /** The key of the change itself, which no other item has. */
  changeOp: string;
  /** What decides the state: the upload if that needs attention, else the change itself. */
  row: OutboxRow;
  /** 'Credit: The Long Monsoon'. */
  title: string;
  /** The record of the change, as far as this device knows it. */
  under?: Record<string, unknown>;
  /** Name of the chosen industry, if this device has the list. */
  industry?: string;
  state: Exclude<SaveState, 'saved'>;
  /** Type of the media item: 'image', 'youtube', …. */
  mediaType?: string;
  /** The upload, if there is one; of several, one that needs attention. `sent` and `size` in bytes, `type` as the device named it. */
  upload?: { mediaId: string; sent: number; size: number; thumb?: ArrayBuffer; name: string; type: string };
  /** Other changes that wait name the same file. */
  isFileShared?: boolean;
  /** Waits behind a change that needs attention. */
  blocked: boolean;
  /** The server had no space for its bytes. The engine sends them again. */
  isServerFull?: boolean;
  /** A large file that the user wants sent on Wi-Fi only, while the device uses mobile data. */
  waitsForWifi?: boolean;
}

export interface QueueSummary {
  waiting: number;
  sending: number;
  needs: number;
  /** True while the server refuses the token. Nothing is sent. */
  signInNeeded: boolean;
  /** True while the desk has suspended the account. Nothing is sent, and everything can be read. */
  isSuspended: boolean;
}
