import type { Owner } from './hub.ts';

/** What is to be told to whom listens. It is written with the change it tells of, and sent after that is committed. */
export type Broadcast =
  | { kind: 'event'; channels: string[]; event: string; data: unknown; except?: string | undefined }
  /** A session is over: its sockets close for good. */
  | { kind: 'signed out'; userId: string; sessionId: string }
  /** Somebody has no business in a channel any more. */
  | { kind: 'sent out'; userId: string; channel: string };

/** Where the app finds the service; part of GET /config. */
export interface LiveAddress {
  key: string;
  cluster: string;
  /** Null: where the app itself comes from. */
  host: string | null;
  port: number | null;
  tls: boolean | null;
}

/** Lets a socket into a channel. */
export interface Admission {
  socketId: string;
  channel: string;
  owner: Owner;
  /** What others in a presence channel are told. */
  member?: { user_id: string; user_info: Record<string, unknown> };
  /** Whether this person is still signed in and may listen; asked after the socket was tied to the session. */
  mayListen: () => Promise<boolean>;
}

/** What brings live news to the devices: the endpoint of this server, or a service that speaks the same protocol. */
export interface Broadcaster {
  readonly address: LiveAddress;
  /** Told together, in this order. Rejects where the service could not be reached; then all of them are told again. */
  publish(notes: readonly Broadcast[]): Promise<void>;
  /** @returns what the client shows to be let in; null where it may not, also because the socket is another session's */
  authorize(admission: Admission): Promise<{ auth: string; channel_data?: string } | null>;
  /**
   * @param isSignedIn asked after the socket was tied to the session
   * @returns what the client shows to sign its socket in as this person, with the text that is signed; null where the socket
   * is another session's
   */
  authenticate(
    socketId: string,
    owner: Owner,
    isSignedIn: () => Promise<boolean>,
  ): Promise<{ auth: string; user_data: string } | null>;
  /** Lets go of all sockets, spread over a moment. */
  close(): Promise<void>;
}
