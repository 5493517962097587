import {
  ChannelError,
  channelKind,
  channelSignature,
  isEqualConstantTime,
  MAX_NAME_LENGTH,
  getUserOfChannel,
  userSignature,
  type Credentials,
} from './channels.ts';
import { frame, incoming, memberData, signIn, subscription, unsubscription, userData, encodeFrame } from './frames.ts';
import type { Channel, Listener, Owner, Peer, Publication } from './peer.ts';

/** Close code after which a client does not reconnect. */
export const NOT_ALLOWED = 4009;

/** How long sockets opened before a user's sign-out may not sign in as that user. Longer than an idle socket lives. */
const SIGN_OUT_MEMORY_MS = 5 * 60_000;
const MAX_CHANNELS_PER_SOCKET = 200;
const MAX_MEMBERS_PER_CHANNEL = 100;
const MAX_MEMBER_BYTES = 2048;
const MAX_CLIENT_EVENTS_PER_SECOND = 10;
const CLIENT_EVENT_REJECTED = 4301;

interface HubOptions extends Credentials {
  /** Whether sockets may send events to each other through private channels. */
  clientEvents: boolean;
  /** Whether sockets may subscribe to public channels. Only useful when another program publishes to them. */
  publicChannels: boolean;
  /**
   * Which sockets may use a signature for a private channel. `any`: every socket, as in the protocol. `claimed`: sockets whose session
   * this process knows. `signedIn`: sockets that signed in, so that the end of a session can close them; a subscription before the
   * sign-in waits for it.
   */
  privateChannelsFor: 'any' | 'claimed' | 'signedIn';
  /** Monotonic clock, in milliseconds. */
  now?: () => number;
}

/** The channels and subscribers of one process: the Pusher protocol 7, without the transport. */
export class Hub {
  readonly #credentials: Credentials;
  readonly #clientEvents: boolean;
  readonly #publicChannels: boolean;
  readonly #privateChannelsFor: HubOptions['privateChannelsFor'];
  /** When each person's sockets were last closed, by user id. */
  readonly #signedOutAtMs = new Map<string, number>();
  readonly #now: () => number;
  readonly #listeners = new Map<string, Listener>();
  readonly #channels = new Map<string, Channel>();

  constructor(options: HubOptions) {
    const { key, secret, clientEvents, publicChannels, privateChannelsFor, now = () => performance.now() } = options;
    this.#credentials = { key, secret };
    this.#clientEvents = clientEvents;
    this.#publicChannels = publicChannels;
    this.#privateChannelsFor = privateChannelsFor;
    this.#now = now;
  }

  get size(): number {
    return this.#listeners.size;
  }

  join(peer: Peer): void {
    this.#listeners.set(peer.id, {
      peer,
      channels: new Map(),
      owner: null,
      joinedAtMs: this.#now(),
      pendingSubscriptions: null,
      user: null,
      revoked: null,
      clientEvents: null,
    });
  }

  /** Removes a socket that closed. */
  leave(peer: Peer): void {
    const listener = this.#listeners.get(peer.id);
    if (listener === undefined) return;
    for (const channel of [...listener.channels.keys()]) this.#unsubscribe(listener, channel);
    this.#listeners.delete(peer.id);
  }

  /** Handles one frame. A malformed or unsupported frame gets an error response. */
  receive(peer: Peer, text: string): void {
    const listener = this.#listeners.get(peer.id);
    if (listener === undefined) return;
    let parsed;
    try {
      parsed = incoming.safeParse(JSON.parse(text));
    } catch {
      parsed = null;
    }
    if (!parsed?.success) return this.#sendError(peer, null, 'A frame must be JSON with an event');
    const { event, channel, data } = parsed.data;
    if (event === 'pusher:ping') peer.send(frame('pusher:pong', { data: {} }));
    else if (event === 'pusher:pong') return;
    else if (event === 'pusher:subscribe') this.#subscribe(listener, data);
    else if (event === 'pusher:unsubscribe') {
      const request = unsubscription.safeParse(data);
      if (request.success) this.#unsubscribe(listener, request.data.channel);
    } else if (event === 'pusher:signin') this.#signIn(listener, data);
    else if (event.startsWith('client-')) this.#relay(listener, event, channel, data);
    else this.#sendError(peer, null, 'This event is not supported');
  }

  /** Sends an event to all subscribers of these channels. @returns the number of recipients */
  publish({ channels, event, data, except }: Publication): number {
    let count = 0;
    for (const channel of new Set(channels)) {
      const peers = this.#channels.get(channel)?.peers;
      if (peers === undefined) continue;
      const wire = encodeFrame(JSON.stringify({ event, channel, data }));
      for (const peer of peers) {
        if (peer.id === except) continue;
        peer.deliver(wire);
        count += 1;
      }
    }
    return count;
  }

  /**
   * Binds a socket to the first session that claims it, for the socket's lifetime.
   * @returns false when the socket belongs to another session; true also for a socket that is not connected here
   */
  claim(socketId: string, owner: Owner): boolean {
    const listener = this.#listeners.get(socketId);
    if (listener === undefined) return true;
    listener.owner ??= owner;
    return listener.owner.sessionId === owner.sessionId;
  }

  /** Whether a socket has subscribed to a channel or signed in. */
  isInUse(socketId: string): boolean {
    const listener = this.#listeners.get(socketId);
    return listener !== undefined && (listener.channels.size > 0 || listener.user !== null);
  }

  /** Clears an earlier revocation, before the permission of the socket's owner is checked again. */
  clearRevocation(socketId: string, channel: string): void {
    this.#listeners.get(socketId)?.revoked?.delete(channel);
  }

  /** Whether the socket's owner has been removed from the channel since `clearRevocation`. */
  isRevoked(socketId: string, channel: string): boolean {
    return this.#listeners.get(socketId)?.revoked?.has(channel) === true;
  }

  /** Removes a user from a channel and invalidates the signatures that they hold for it. */
  revoke(userId: string, channel: string): void {
    for (const listener of this.#listeners.values()) {
      if (listener.owner?.userId !== userId) continue;
      (listener.revoked ??= new Set()).add(channel);
      this.#unsubscribe(listener, channel);
    }
  }

  /** Closes the sockets of a session that was signed out. They do not reconnect. */
  endSession(sessionId: string): void {
    for (const { owner, peer } of [...this.#listeners.values()]) {
      if (owner?.sessionId === sessionId) peer.end(NOT_ALLOWED, 'Signed out');
    }
  }

  /** Closes all sockets of a user, whether claimed by a session or signed in. */
  endUser(userId: string): void {
    const now = this.#now();
    for (const [id, at] of this.#signedOutAtMs) if (now - at > SIGN_OUT_MEMORY_MS) this.#signedOutAtMs.delete(id);
    this.#signedOutAtMs.set(userId, now);
    for (const { owner, user, peer } of [...this.#listeners.values()]) {
      if (owner?.userId === userId || user === userId) peer.end(NOT_ALLOWED, 'Signed out');
    }
  }

  /** All channels with subscribers. */
  channels(prefix = ''): { name: string; subscriptions: number; users: number | null }[] {
    this.#removeClosed();
    return [...this.#channels]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, { peers, members }]) => ({ name, subscriptions: peers.size, users: members?.size ?? null }));
  }

  /** Counts of one channel; null when it has no subscribers. */
  channel(name: string): { subscriptions: number; users: number | null } | null {
    const subscribed = [...(this.#channels.get(name)?.peers ?? [])];
    for (const peer of subscribed) if (!peer.isOpen()) this.leave(peer);
    const found = this.#channels.get(name);
    return found ? { subscriptions: found.peers.size, users: found.members?.size ?? null } : null;
  }

  /** User ids of the members of a presence channel. */
  members(channel: string): string[] {
    if (this.channel(channel) === null) return [];
    return [...(this.#channels.get(channel)?.members?.keys() ?? [])];
  }

  /** Removes sockets whose client has started to close, although the connection may take a moment to end. */
  #removeClosed(): void {
    for (const { peer } of [...this.#listeners.values()]) if (!peer.isOpen()) this.leave(peer);
  }

  #signIn(listener: Listener, data: unknown): void {
    const { peer } = listener;
    const request = signIn.safeParse(data);
    const userId = request.success ? this.#verifyUser(peer, request.data) : null;
    if (!request.success || userId === null || !this.#maySignIn(listener, userId)) {
      this.#sendError(peer, NOT_ALLOWED, 'The signature does not fit');
      return peer.end(NOT_ALLOWED, 'Not signed in');
    }
    listener.user = userId;
    peer.send(frame('pusher:signin_success', { data: request.data }));
    const pending = listener.pendingSubscriptions ?? [];
    listener.pendingSubscriptions = null;
    for (const data of pending) this.#subscribe(listener, data);
  }

  /** A socket may sign in as one user only, and not with a signature from before that user's sign-out. */
  #maySignIn({ user, owner, joinedAtMs }: Listener, userId: string): boolean {
    if (user !== null && user !== userId) return false;
    if (owner !== null && owner.userId !== userId) return false;
    const signedOutAtMs = this.#signedOutAtMs.get(userId);
    return signedOutAtMs === undefined || signedOutAtMs < joinedAtMs;
  }

  /** Id of the user in a signed text; null when the signature is invalid. */
  #verifyUser({ id }: Peer, { auth, user_data: data }: { auth: string; user_data: string }): string | null {
    if (!isEqualConstantTime(auth, userSignature(this.#credentials, id, data))) return null;
    return userData.safeParse(data).data?.id ?? null;
  }

  #sendError(peer: Peer, code: number | null, message: string): void {
    peer.send(frame('pusher:error', { data: { code, message } }));
  }

  #subscribe(listener: Listener, data: unknown): void {
    const request = subscription.safeParse(data);
    if (!request.success) return this.#sendError(listener.peer, null, 'A subscription must name its channel');
    const { channel, auth, channel_data: channelData } = request.data;
    const refuse = (type: string, error: string, status: number) =>
      listener.peer.send(frame('pusher:subscription_error', { channel, data: { type, error, status } }));
    let kind;
    try {
      kind = channelKind(channel);
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error;
      return refuse('InvalidChannel', error.message, 400);
    }
    if (kind === 'user') {
      if (getUserOfChannel(channel) !== listener.user)
        return refuse('AuthError', 'The socket is not signed in as this user', 401);
    } else if (kind === 'public') {
      if (!this.#publicChannels) return refuse('AuthError', 'Public channels are not supported', 403);
    } else {
      const expected = channelSignature(this.#credentials, listener.peer.id, channel, channelData);
      if (auth === undefined || !isEqualConstantTime(auth, expected) || listener.revoked?.has(channel)) {
        return refuse('AuthError', 'The signature does not fit', 401);
      }
      if (!this.#isKnown(listener)) {
        // A client sends its sign-in and its subscriptions at the same time, so the subscriptions may arrive first.
        const pending = (listener.pendingSubscriptions ??= []);
        if (this.#privateChannelsFor === 'signedIn' && pending.length < MAX_CHANNELS_PER_SOCKET) {
          pending.push(data);
          return;
        }
        return refuse('AuthError', 'The socket is not signed in', 401);
      }
    }
    if (!listener.channels.has(channel) && listener.channels.size >= MAX_CHANNELS_PER_SOCKET) {
      return refuse('LimitReached', `A socket can subscribe to at most ${MAX_CHANNELS_PER_SOCKET} channels`, 403);
    }
    if (kind === 'presence') return this.#joinPresence(listener, channel, channelData, refuse);
    this.#add(listener, channel, null);
    listener.peer.send(frame('pusher_internal:subscription_succeeded', { channel, data: {} }));
  }

  #isKnown({ owner, user }: Listener): boolean {
    if (this.#privateChannelsFor === 'any' || user !== null) return true;
    return this.#privateChannelsFor === 'claimed' && owner !== null;
  }

  #joinPresence(
    listener: Listener,
    channel: string,
    channelData: string | undefined,
    refuse: (type: string, error: string, status: number) => void,
  ): void {
    const sendPresenceList = ({ members }: Channel) => {
      const hash = Object.fromEntries([...(members ?? [])].map(([id, { info }]) => [id, info]));
      const presence = { ids: Object.keys(hash), hash, count: Object.keys(hash).length };
      listener.peer.send(frame('pusher_internal:subscription_succeeded', { channel, data: { presence } }));
    };
    const before = this.#channels.get(channel);
    if (before && listener.channels.has(channel)) return sendPresenceList(before);
    const parsedMember = memberData.safeParse(channelData);
    if (!parsedMember.success) return refuse('AuthError', 'A presence channel needs channel_data with a user_id', 401);
    if (Buffer.byteLength(channelData ?? '') > MAX_MEMBER_BYTES)
      return refuse('LimitReached', 'channel_data is too large', 413);
    const userId = String(parsedMember.data.user_id);
    const info = parsedMember.data.user_info ?? {};
    const isNew = before?.members?.has(userId) !== true;
    if (isNew && (before?.members?.size ?? 0) >= MAX_MEMBERS_PER_CHANNEL) {
      return refuse('LimitReached', 'The channel is full', 403);
    }
    const joined = this.#add(listener, channel, userId);
    const member = joined.members?.get(userId) ?? { info, peers: new Set<Peer>() };
    member.peers.add(listener.peer);
    joined.members?.set(userId, member);
    sendPresenceList(joined);
    if (!isNew) return;
    const memberAdded = frame('pusher_internal:member_added', { channel, data: { user_id: userId, user_info: info } });
    const wire = encodeFrame(memberAdded);
    for (const peer of joined.peers) if (peer !== listener.peer) peer.deliver(wire);
  }

  #add({ peer, channels }: Listener, name: string, userId: string | null): Channel {
    const channel = this.#channels.get(name) ?? { peers: new Set(), members: userId === null ? null : new Map() };
    this.#channels.set(name, channel);
    channel.peers.add(peer);
    channels.set(name, userId);
    return channel;
  }

  #unsubscribe({ peer, channels }: Listener, name: string): void {
    const userId = channels.get(name);
    const channel = this.#channels.get(name);
    if (userId === undefined || channel === undefined) return;
    channels.delete(name);
    channel.peers.delete(peer);
    if (channel.peers.size === 0) this.#channels.delete(name);
    if (userId === null) return;
    const member = channel.members?.get(userId);
    member?.peers.delete(peer);
    if (member === undefined || member.peers.size > 0) return;
    channel.members?.delete(userId);
    const memberRemoved = frame('pusher_internal:member_removed', { channel: name, data: { user_id: userId } });
    const wire = encodeFrame(memberRemoved);
    for (const each of channel.peers) each.deliver(wire);
  }

  #relay(listener: Listener, event: string, channel: string | undefined, data: unknown): void {
    const { peer } = listener;
    const reject = (message: string) => this.#sendError(peer, CLIENT_EVENT_REJECTED, message);
    if (!this.#clientEvents) return reject('Client events are not supported');
    if (event.length > MAX_NAME_LENGTH) return reject('The name of the event is too long');
    const userId = channel === undefined ? undefined : listener.channels.get(channel);
    if (channel === undefined || userId === undefined || !/^(private|presence)-/.test(channel)) {
      return reject('Client events need a private channel that the socket is subscribed to');
    }
    const now = this.#now();
    const clientEvents = (listener.clientEvents ??= { since: now, count: 0 });
    if (now - clientEvents.since >= 1000) Object.assign(clientEvents, { since: now, count: 0 });
    clientEvents.count += 1;
    if (clientEvents.count > MAX_CLIENT_EVENTS_PER_SECOND) return reject('Too many events per second');
    const wire = encodeFrame(JSON.stringify({ event, channel, data, ...(userId === null ? {} : { user_id: userId }) }));
    for (const each of this.#channels.get(channel)?.peers ?? []) if (each !== peer) each.deliver(wire);
  }
}
