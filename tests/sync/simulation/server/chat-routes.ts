import { LIMITS } from '#contract/limits.ts';
import { epoch } from '../scheduler.ts';
import { type Body, type FakeStore, sha256 } from './fake-store.ts';
import { filesOf } from './media-routes.ts';
import type { Call, Routes } from './routes.ts';
import { ok, Refused } from './wire.ts';

export interface StoredMessage {
  id: string;
  client_id: string | null;
  conversation_id: string;
  seq: number;
  sender_id: string;
  receiver_id: string;
  message: string;
  /** Digest of the photo's bytes that arrived. */
  media: { sha256: string } | null;
  reply_to: number | null;
  /** The audition about which it asks. */
  audition_id: string | null;
  created_at: string;
}

interface Member {
  read: number;
  has: number;
  isStarred: boolean;
  isPinned: boolean;
}

/** A conversation of two people as the full API stores it. */
export class FakeChat {
  readonly id: string;
  readonly members: ReadonlyMap<string, Member>;
  readonly messages: StoredMessage[] = [];
  /** Called with each new message. */
  onMessage: ((message: StoredMessage) => void) | null = null;
  /** Called when a user's read or delivered position has advanced. */
  onCursorsAdvanced: ((userId: string) => void) | null = null;

  constructor(id: string, people: readonly [string, string]) {
    this.id = id;
    this.members = new Map(people.map((person) => [person, { read: 0, has: 0, isStarred: false, isPinned: false }]));
  }

  otherOf(userId: string): string {
    return [...this.members.keys()].find((person) => person !== userId)!;
  }

  /** Advances the user's positions past their own messages that follow directly. */
  advancePastOwn(userId: string): void {
    const own = this.members.get(userId)!;
    for (const what of ['read', 'has'] as const) {
      while (this.messages[own[what]]?.sender_id === userId) own[what] += 1;
    }
  }

  countUnread(userId: string): number {
    const { read } = this.members.get(userId)!;
    const next = this.messages.slice(read, read + LIMITS.maxUnreadCount);
    return next.filter(({ sender_id }) => sender_id !== userId).length;
  }

  presentTo(userId: string, store: FakeStore): Body {
    const other = this.otherOf(userId);
    const own = this.members.get(userId)!;
    const theirs = this.members.get(other)!;
    return {
      id: this.id,
      conversation_id: this.id,
      connection_id: `c${this.id}`,
      other: { user_id: other, name: store.users.get(other)?.name, title: null, profile_photo: null, slug: null },
      last_message: this.messages.at(-1) ?? null,
      unread_count: this.countUnread(userId),
      read_seq: own.read,
      other_delivered_seq: theirs.has,
      other_read_seq: theirs.read,
      starred: own.isStarred,
      pinned: own.isPinned,
    };
  }
}

/** Appends a message to a conversation, and records it for both people. */
export function addMessage(
  store: FakeStore,
  chat: FakeChat,
  sender: string,
  said: Pick<StoredMessage, 'client_id' | 'message'> & Partial<StoredMessage>,
): StoredMessage {
  const stored: StoredMessage = {
    id: store.newId(),
    conversation_id: chat.id,
    seq: chat.messages.length + 1,
    sender_id: sender,
    receiver_id: chat.otherOf(sender),
    media: null,
    reply_to: null,
    audition_id: null,
    created_at: new Date(epoch + Math.floor(store.now())).toISOString(),
    ...said,
  };
  chat.messages.push(stored);
  chat.advancePastOwn(sender);
  for (const person of chat.members.keys()) {
    store.recordChange(person, 'conversation', chat.id, null);
    store.recordChange(person, 'message', stored.id, chat.id);
  }
  chat.onMessage?.(stored);
  chat.onCursorsAdvanced?.(sender);
  return stored;
}

const NEWEST = 5;
const PAGE = 4;

/** Returns a message as the basic API sends it, without sequence number and client id. */
export function toBasicMessage({
  client_id: _client,
  seq: _seq,
  ...stored
}: StoredMessage): Omit<StoredMessage, 'client_id' | 'seq'> {
  return stored;
}

/** Endpoints for conversations and messages. */
export function chatRoutes(routes: Routes): void {
  const { store } = routes;
  store.presenters.set('conversation', (id, userId) => store.chats.get(id)?.presentTo(userId, store) ?? null);
  store.presenters.set('message', (id, _, isFirst) => {
    for (const { messages } of store.chats.values()) {
      const stored = messages.find((message) => message.id === id);
      if (stored) return isFirst && stored.seq <= messages.length - NEWEST ? null : { ...stored };
    }
    return null;
  });

  const chatOf = (call: Call, id: unknown): FakeChat => {
    const chat = store.chats.get(String(id));
    if (!chat?.members.has(call.userId)) throw new Refused(403, 'You are not part of this conversation');
    return chat;
  };
  const moved = (chat: FakeChat, userId: string) => store.recordChange(userId, 'conversation', chat.id, null);

  const present = (stored: StoredMessage) => (routes.isBasic ? toBasicMessage(stored) : stored);

  routes.add('POST', '/chat/send', (call) => {
    const chat = chatOf(call, call.json['conversation_id']);
    const clientId = routes.clientIdOf(call);
    const known = chat.messages.find((each) => each.client_id === clientId && each.sender_id === call.userId);
    if (known && clientId !== null) return ok({ message: 'Message sent', data: known });
    const [photo] = filesOf(routes, call, 'image', 'upload_id');
    const stored = addMessage(store, chat, call.userId, {
      client_id: clientId,
      message: String(call.json['message']),
      media: photo ? { sha256: sha256(photo) } : null,
      reply_to: Number(call.json['reply_to']) || null,
    });
    return ok({ message: 'Message sent', data: present(stored) }, 201);
  });

  routes.add('GET', '/chat/c:id', (call, id) => {
    const chat = chatOf(call, id);
    if (routes.isBasic) return ok({ conversation_id: chat.id, messages: chat.messages.map(present) });
    const before = Number(call.query.get('before_seq') ?? Infinity);
    const after = call.query.get('after_seq');
    const limit = Math.min(PAGE, Number(call.query.get('limit') ?? PAGE));
    const all = chat.messages.filter(({ seq }) => seq < before && seq > Number(after ?? 0));
    const messages = after === null ? all.slice(-limit) : all.slice(0, limit);
    return ok({ conversation_id: chat.id, messages, has_more: messages.length < all.length });
  });

  // Without conversations the fake server has no connection lists either.
  routes.add('GET', '/connections/accepted', ({ userId }) => {
    if (store.chats.size === 0) throw new Refused(404, 'No such address');
    const own = [...store.chats.values()].filter(({ members }) => members.has(userId));
    return ok(
      own.map(({ id, members }) => {
        const [from, to] = [...members.keys()];
        const name = store.users.get(from === userId ? to! : from!)?.name;
        return { id: `c${id}`, status: 'accepted', user_id: from, connected_user_id: to, name };
      }),
    );
  });

  for (const what of ['read', 'delivered'] as const) {
    routes.add(
      'POST',
      `/conversations/:id/${what}`,
      (call, id) => {
        const chat = chatOf(call, id);
        const own = chat.members.get(call.userId)!;
        const seq = Math.min(Number(call.json['seq']), chat.messages.length);
        if (what === 'read') own.read = Math.max(own.read, seq);
        own.has = Math.max(own.has, seq, own.read);
        chat.advancePastOwn(call.userId);
        for (const person of chat.members.keys()) moved(chat, person);
        chat.onCursorsAdvanced?.(call.userId);
        return ok({ message: 'Noted' });
      },
      { isExtension: true },
    );
  }
  const toggles = [
    ['star', { isStarred: true }],
    ['unstar', { isStarred: false }],
    ['pin', { isPinned: true }],
    ['unpin', { isPinned: false }],
  ] as const;
  for (const [name, toggle] of toggles) {
    routes.add(
      'POST',
      `/conversations/:id/${name}`,
      (call, id) => {
        const chat = chatOf(call, id);
        Object.assign(chat.members.get(call.userId)!, toggle);
        moved(chat, call.userId);
        return ok({ message: 'Noted' });
      },
      { isExtension: true },
    );
  }
}
