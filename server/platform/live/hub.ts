import {
  ChannelError,
  channelKind,
  channelSignature,
  isEqualConstantTime,
  NAME_LENGTH,
  getUserOfChannel,
  userSignature,
  type Credentials,
} from './channels.ts';
import { frame, incoming, memberData, signIn, subscription, unsubscription, userData, wireOf } from './frames.ts';

/** One socket, as far as channels are concerned. */
export interface Peer {
  /** The socket id of the protocol. */
  readonly id: string;
  send(frame: string): void;
  /** Sends a frame that many get, as it goes over the wire. */
  deliver(wire: Buffer): void;
  /** False from the moment its other side said that it goes. */
  isOpen(): boolean;
  /** @param code of the protocol: it tells the client whether to come back */
  end(code: number, reason: string): void;
}

/** Whose socket it is: told when it first asks to be let into a channel. */
export interface Owner {
  userId: string;
  sessionId: string;
}

/** What goes out to all who listen. */
export interface Publication {
  channels: readonly string[];
  event: string;
  /** As it stands in the frame: text, JSON for what the app sends itself. */
  data: string;
  /** Id of the socket that knows already. */
  except?: string | undefined;
}

/** Close codes after which a client stays away. */
export const NOT_ALLOWED = 4009;

/** For how long sockets opened before a person was signed out may not sign in as that person; longer than an idle socket lives. */
const SIGN_OUT_MEMORY_MS = 5 * 60_000;
const CHANNELS_OF_A_SOCKET = 200;
const MEMBERS_OF_A_CHANNEL = 100;
const MEMBER_BYTES = 2048;
const CLIENT_EVENTS_A_SECOND = 10;
const REJECTED = 4301;

interface Listener {
  peer: Peer;
  /** By channel: as whom, in a presence channel. */
  channels: Map<string, string | null>;
  owner: Owner | null;
  joinedAtMs: number;
  /** Subscriptions that wait for the socket to sign in. */
  waiting: unknown[] | null;
  /** Who signed in through this socket, in the protocol's own way. */
  user: string | null;
  /** Channels its owner was sent out of: the signature they hold still reads well. */
  revoked: Set<string> | null;
  /** Client events of the second that began then. */
  said: { since: number; count: number } | null;
}

interface Member {
  info: unknown;
  peers: Set<Peer>;
}

interface Channel {
  peers: Set<Peer>;
  /** By user id; of presence channels. */
  members: Map<string, Member> | null;
}

interface HubOptions extends Credentials {
  /** Whether sockets may speak to each other through private channels. */
  clientEvents: boolean;
  /** Whether sockets may subscribe to public channels: only where a program publishes to them. */
  publicChannels: boolean;
  /**
   * Which sockets may use a signature for a private channel. `any`: every socket, as the protocol has it. `claimed`: those
   * whose session this process knows. `signedIn`: those that signed in, so that the end of a session can close them; a
   * subscription that comes earlier waits for the sign-in.
   */
  privateChannelsFor: 'any' | 'claimed' | 'signedIn';
  /** Milliseconds, ever rising. */
  now?: () => number;
}

/** The channels of one process and who listens to them: the Pusher protocol 7 without its wire. */
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
      waiting: null,
      user: null,
      revoked: null,
      said: null,
    });
  }

  /** Its socket closed. */
  leave(peer: Peer): void {
    const listener = this.#listeners.get(peer.id);
    if (listener === undefined) return;
    for (const channel of [...listener.channels.keys()]) this.#drop(listener, channel);
    this.#listeners.delete(peer.id);
  }

  /** Takes one frame. What cannot be read or is not offered is answered with an error and harms nobody. */
  receive(peer: Peer, sent: string): void {
    const listener = this.#listeners.get(peer.id);
    if (listener === undefined) return;
    let read;
    try {
      read = incoming.safeParse(JSON.parse(sent));
    } catch {
      read = null;
    }
    if (!read?.success) return this.#complain(peer, null, 'A frame is JSON with an event');
    const { event, channel, data } = read.data;
    if (event === 'pusher:ping') peer.send(frame('pusher:pong', { data: {} }));
    else if (event === 'pusher:pong') return;
    else if (event === 'pusher:subscribe') this.#subscribe(listener, data);
    else if (event === 'pusher:unsubscribe') {
      const asked = unsubscription.safeParse(data);
      if (asked.success) this.#drop(listener, asked.data.channel);
    } else if (event === 'pusher:signin') this.#signIn(listener, data);
    else if (event.startsWith('client-')) this.#relay(listener, event, channel, data);
    else this.#complain(peer, null, 'This event is not offered');
  }

  /** Sends an event to all who listen to any of these channels. Returns to how many. */
  publish({ channels, event, data, except }: Publication): number {
    let count = 0;
    for (const channel of new Set(channels)) {
      const peers = this.#channels.get(channel)?.peers;
      if (peers === undefined) continue;
      const wire = wireOf(JSON.stringify({ event, channel, data }));
      for (const peer of peers) {
        if (peer.id === except) continue;
        peer.deliver(wire);
        count += 1;
      }
    }
    return count;
  }

  /**
   * Ties a socket to the session that asks for it first, for as long as the socket lives.
   * @returns false where the socket belongs to another session; true also for a socket that is not connected here
   */
  claim(socketId: string, owner: Owner): boolean {
    const listener = this.#listeners.get(socketId);
    if (listener === undefined) return true;
    listener.owner ??= owner;
    return listener.owner.sessionId === owner.sessionId;
  }

  /** Whether a socket is of any use: it subscribed to something or signed in. */
  isInUse(socketId: string): boolean {
    const listener = this.#listeners.get(socketId);
    return listener !== undefined && (listener.channels.size > 0 || listener.user !== null);
  }

  /** Before it is found out whether this socket's owner may listen: what was revoked until now counts no more. */
  reconsider(socketId: string, channel: string): void {
    this.#listeners.get(socketId)?.revoked?.delete(channel);
  }

  /** Whether its owner was sent out of the channel meanwhile. */
  isRevoked(socketId: string, channel: string): boolean {
    return this.#listeners.get(socketId)?.revoked?.has(channel) === true;
  }

  /** Sends somebody out of a channel: what they were given to get in is worth nothing any more. */
  revoke(userId: string, channel: string): void {
    for (const listener of this.#listeners.values()) {
      if (listener.owner?.userId !== userId) continue;
      (listener.revoked ??= new Set()).add(channel);
      this.#drop(listener, channel);
    }
  }

  /** Ends the sockets of a session that was signed out. They do not come back. */
  endSession(sessionId: string): void {
    for (const { owner, peer } of [...this.#listeners.values()]) {
      if (owner?.sessionId === sessionId) peer.end(NOT_ALLOWED, 'Signed out');
    }
  }

  /** Ends all sockets of a person, whichever way they told who they are. */
  endUser(userId: string): void {
    const now = this.#now();
    for (const [id, at] of this.#signedOutAtMs) if (now - at > SIGN_OUT_MEMORY_MS) this.#signedOutAtMs.delete(id);
    this.#signedOutAtMs.set(userId, now);
    for (const { owner, user, peer } of [...this.#listeners.values()]) {
      if (owner?.userId === userId || user === userId) peer.end(NOT_ALLOWED, 'Signed out');
    }
  }

  /** Channels somebody listens to. */
  channels(prefix = ''): { name: string; subscriptions: number; users: number | null }[] {
    this.#letGo();
    return [...this.#channels]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, { peers, members }]) => ({ name, subscriptions: peers.size, users: members?.size ?? null }));
  }

  /** How many listen to a channel; null where nobody does. */
  channel(name: string): { subscriptions: number; users: number | null } | null {
    const listening = [...(this.#channels.get(name)?.peers ?? [])];
    for (const peer of listening) if (!peer.isOpen()) this.leave(peer);
    const found = this.#channels.get(name);
    return found ? { subscriptions: found.peers.size, users: found.members?.size ?? null } : null;
  }

  /** Ids of those in a presence channel. */
  members(channel: string): string[] {
    if (this.channel(channel) === null) return [];
    return [...(this.#channels.get(channel)?.members?.keys() ?? [])];
  }

  /** Who has said good-bye is not counted, though the line may take a moment to come down. */
  #letGo(): void {
    for (const { peer } of [...this.#listeners.values()]) if (!peer.isOpen()) this.leave(peer);
  }

  #signIn(listener: Listener, data: unknown): void {
    const { peer } = listener;
    const asked = signIn.safeParse(data);
    const told = asked.success ? this.#readUser(peer, asked.data) : null;
    if (!asked.success || told === null || !this.#maySignIn(listener, told)) {
      this.#complain(peer, NOT_ALLOWED, 'The signature does not fit');
      return peer.end(NOT_ALLOWED, 'Not signed in');
    }
    listener.user = told;
    peer.send(frame('pusher:signin_success', { data: asked.data }));
    const waiting = listener.waiting ?? [];
    listener.waiting = null;
    for (const data of waiting) this.#subscribe(listener, data);
  }

  /** A socket signs in as one person for life, and not by a signature it got before that person was signed out. */
  #maySignIn({ user, owner, joinedAtMs }: Listener, userId: string): boolean {
    if (user !== null && user !== userId) return false;
    if (owner !== null && owner.userId !== userId) return false;
    const signedOutAtMs = this.#signedOutAtMs.get(userId);
    return signedOutAtMs === undefined || signedOutAtMs < joinedAtMs;
  }

  /** Who that is, where the signature fits. */
  #readUser({ id }: Peer, { auth, user_data: data }: { auth: string; user_data: string }): string | null {
    if (!isEqualConstantTime(auth, userSignature(this.#credentials, id, data))) return null;
    return userData.safeParse(data).data?.id ?? null;
  }

  #complain(peer: Peer, code: number | null, message: string): void {
    peer.send(frame('pusher:error', { data: { code, message } }));
  }

  #subscribe(listener: Listener, data: unknown): void {
    const asked = subscription.safeParse(data);
    if (!asked.success) return this.#complain(listener.peer, null, 'A subscription names its channel');
    const { channel, auth, channel_data: channelData } = asked.data;
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
      if (getUserOfChannel(channel) !== listener.user) return refuse('AuthError', 'This is for who is signed in', 401);
    } else if (kind === 'public') {
      if (!this.#publicChannels) return refuse('AuthError', 'Public channels are not offered', 403);
    } else {
      const right = channelSignature(this.#credentials, listener.peer.id, channel, channelData);
      if (auth === undefined || !isEqualConstantTime(auth, right) || listener.revoked?.has(channel)) {
        return refuse('AuthError', 'The signature does not fit', 401);
      }
      if (!this.#isKnown(listener)) {
        // The sign-in and the subscriptions of a client are on their way at the same time.
        const waiting = (listener.waiting ??= []);
        if (this.#privateChannelsFor === 'signedIn' && waiting.length < CHANNELS_OF_A_SOCKET) {
          waiting.push(data);
          return;
        }
        return refuse('AuthError', 'The socket is not signed in', 401);
      }
    }
    if (!listener.channels.has(channel) && listener.channels.size >= CHANNELS_OF_A_SOCKET) {
      return refuse('LimitReached', `A socket listens to ${CHANNELS_OF_A_SOCKET} channels at most`, 403);
    }
    if (kind === 'presence') return this.#appear(listener, channel, channelData, refuse);
    this.#add(listener, channel, null);
    listener.peer.send(frame('pusher_internal:subscription_succeeded', { channel, data: {} }));
  }

  #isKnown({ owner, user }: Listener): boolean {
    if (this.#privateChannelsFor === 'any' || user !== null) return true;
    return this.#privateChannelsFor === 'claimed' && owner !== null;
  }

  #appear(
    listener: Listener,
    channel: string,
    channelData: string | undefined,
    refuse: (type: string, error: string, status: number) => void,
  ): void {
    const roster = ({ members }: Channel) => {
      const hash = Object.fromEntries([...(members ?? [])].map(([id, { info }]) => [id, info]));
      const presence = { ids: Object.keys(hash), hash, count: Object.keys(hash).length };
      listener.peer.send(frame('pusher_internal:subscription_succeeded', { channel, data: { presence } }));
    };
    const before = this.#channels.get(channel);
    if (before && listener.channels.has(channel)) return roster(before);
    const told = memberData.safeParse(channelData);
    if (!told.success) return refuse('AuthError', 'A presence channel is told who comes', 401);
    if (Buffer.byteLength(channelData ?? '') > MEMBER_BYTES) return refuse('LimitReached', 'Too much is told', 413);
    const userId = String(told.data.user_id);
    const info = told.data.user_info ?? {};
    const isNew = before?.members?.has(userId) !== true;
    if (isNew && (before?.members?.size ?? 0) >= MEMBERS_OF_A_CHANNEL) {
      return refuse('LimitReached', 'The channel is full', 403);
    }
    const joined = this.#add(listener, channel, userId);
    const member = joined.members?.get(userId) ?? { info, peers: new Set<Peer>() };
    member.peers.add(listener.peer);
    joined.members?.set(userId, member);
    roster(joined);
    if (!isNew) return;
    const news = frame('pusher_internal:member_added', { channel, data: { user_id: userId, user_info: info } });
    const wire = wireOf(news);
    for (const peer of joined.peers) if (peer !== listener.peer) peer.deliver(wire);
  }

  #add({ peer, channels }: Listener, name: string, userId: string | null): Channel {
    const channel = this.#channels.get(name) ?? { peers: new Set(), members: userId === null ? null : new Map() };
    this.#channels.set(name, channel);
    channel.peers.add(peer);
    channels.set(name, userId);
    return channel;
  }

  #drop({ peer, channels }: Listener, name: string): void {
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
    const news = frame('pusher_internal:member_removed', { channel: name, data: { user_id: userId } });
    const wire = wireOf(news);
    for (const each of channel.peers) each.deliver(wire);
  }

  #relay(listener: Listener, event: string, channel: string | undefined, data: unknown): void {
    const { peer } = listener;
    const reject = (message: string) => this.#complain(peer, REJECTED, message);
    if (!this.#clientEvents) return reject('Client events are not offered');
    if (event.length > NAME_LENGTH) return reject('The name of the event is too long');
    const userId = channel === undefined ? undefined : listener.channels.get(channel);
    if (channel === undefined || userId === undefined || !/^(private|presence)-/.test(channel)) {
      return reject('Client events go to private channels one listens to');
    }
    const now = this.#now();
    const said = (listener.said ??= { since: now, count: 0 });
    if (now - said.since >= 1000) Object.assign(said, { since: now, count: 0 });
    said.count += 1;
    if (said.count > CLIENT_EVENTS_A_SECOND) return reject('Too many events in a second');
    const wire = wireOf(JSON.stringify({ event, channel, data, ...(userId === null ? {} : { user_id: userId }) }));
    for (const each of this.#channels.get(channel)?.peers ?? []) if (each !== peer) each.deliver(wire);
  }
}
