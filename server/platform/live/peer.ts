/** One socket, as the hub sees it. */
export interface Peer {
  /** Socket id of the protocol. */
  readonly id: string;
  send(frame: string): void;
  /** Sends an encoded frame that many sockets share. */
  deliver(wire: Buffer): void;
  /** False as soon as the client has started to close. */
  isOpen(): boolean;
  /** @param code close code of the protocol, which tells the client whether to reconnect */
  end(code: number, reason: string): void;
}

/** The session that a socket belongs to, known from its first request to subscribe to a channel. */
export interface Owner {
  userId: string;
  sessionId: string;
}

/** An event for all subscribers of some channels. */
export interface Publication {
  channels: readonly string[];
  event: string;
  /** The text in the frame. The app's own events are JSON. */
  data: string;
  /** Id of a socket that does not get the event. */
  except?: string | undefined;
}

export interface Listener {
  peer: Peer;
  /** Subscribed channels, with the user id of the member in presence channels. */
  channels: Map<string, string | null>;
  owner: Owner | null;
  joinedAtMs: number;
  /** Subscriptions that wait until the socket signs in. */
  pendingSubscriptions: unknown[] | null;
  /** Id of the user who signed in on this socket (`pusher:signin`). */
  user: string | null;
  /** Channels that its owner was removed from. Their old signatures are still valid, but no longer accepted. */
  revoked: Set<string> | null;
  /** Client events in the second that started at `since`. */
  clientEvents: { since: number; count: number } | null;
}

export interface Member {
  info: unknown;
  peers: Set<Peer>;
}

export interface Channel {
  peers: Set<Peer>;
  /** Members by user id; presence channels only. */
  members: Map<string, Member> | null;
}
