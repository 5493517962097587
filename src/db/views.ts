import type { OpError, OutboxRow, Reason } from './rows.ts';

/** Where a person's work is. saved: the server has it. phone: only here. sending: on its way. needs: waits for the person. */
export type SaveState = 'saved' | 'phone' | 'sending' | 'needs';

/** A record as the screen shows it: the fold of the outbox over the mirror. */
export interface Item {
  /** Stable for the life of the record, also when the server's id arrives: React's key. */
  key: string;
  /** Canonical id to hand back to the engine. */
  id: string;
  /** Other local ids under which this device knew the record; an open form may still name one. */
  aliases?: string[];
  serverId: string | null;
  type: string;
  parent: string | null;
  body: Record<string, unknown>;
  state: SaveState;
  /** The change that needs the person or waits first. */
  op?: string;
  reason?: Reason;
  error?: OpError;
  /** A delete that can still be undone hides the item; this names it. */
  removedBy?: string;
}

/** A change on the Waiting to send page; an upload and its attach are one. */
export interface WaitingItem {
  op: string;
  row: OutboxRow;
  /** 'Credit: The Long Monsoon'. */
  title: string;
  /** The record under the change, as far as this device knows it. */
  under?: Record<string, unknown>;
  /** The chosen industry, where this device has their list. */
  industry?: string;
  state: Exclude<SaveState, 'saved'>;
  /** Of the medium it is about: 'image', 'youtube', …. */
  mediaType?: string;
  /** Bytes of the upload, where there is one. */
  upload?: { mediaId: string; sent: number; size: number; thumb?: ArrayBuffer; name: string };
  /** Waits behind a change that needs the person. */
  blocked: boolean;
  /** The server had no room for its bytes; they are sent again by themselves. */
  isServerFull?: boolean;
}

export interface QueueSummary {
  waiting: number;
  sending: number;
  needs: number;
  /** Set while the token is refused; nothing leaves the queue. */
  signInNeeded: boolean;
}
