import type { Owner } from './peer.ts';

/** A row of the live outbox. A write stores it in its transaction; a publisher sends it after the commit. */
export type Broadcast =
  | { kind: 'event'; channels: string[]; event: string; data: unknown; except?: string | undefined }
  /** A session ended: its sockets close and do not reconnect. */
  | { kind: 'signed out'; userId: string; sessionId: string }
  /** A user may no longer listen to a channel. */
  | { kind: 'sent out'; userId: string; channel: string };

/** Where the app connects for live updates; part of GET /config. */
export interface LiveAddress {
  key: string;
  cluster: string;
  /** Null: the host that serves the app. */
  host: string | null;
  port: number | null;
  tls: boolean | null;
}

/** A request to subscribe a socket to a channel. */
export interface Admission {
  socketId: string;
  channel: string;
  owner: Owner;
  /** What other members of a presence channel see. */
  member?: { user_id: string; user_info: Record<string, unknown> };
  /** Whether the user is still signed in and may listen. Called after the socket is bound to the session. */
  mayListen: () => Promise<boolean>;
}

/** Delivers live events to devices: the endpoint of this server, or a service that speaks the same protocol. */
export interface Broadcaster {
  readonly address: LiveAddress;
  /** Whether the sockets belong to this process. Their devices reconnect and pull after it died, so it owes them nothing from before. */
  readonly isInProcess: boolean;
  /** Sends a batch in order. Rejects when the service cannot be reached; the caller then sends the whole batch again. */
  publish(broadcasts: readonly Broadcast[]): Promise<void>;
  /** @returns the client's proof for subscribing; null when it may not subscribe, or the socket belongs to another session */
  authorize(admission: Admission): Promise<{ auth: string; channel_data?: string } | null>;
  /**
   * @param isSignedIn called after the socket is bound to the session
   * @returns the client's proof for signing its socket in, and the signed text; null when the socket belongs to another session
   */
  authenticate(
    socketId: string,
    owner: Owner,
    isSignedIn: () => Promise<boolean>,
  ): Promise<{ auth: string; user_data: string } | null>;
  /** Closes all sockets, spread over a few seconds. */
  close(): Promise<void>;
}
