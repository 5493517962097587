'fetched soon after the start';

import Echo from 'laravel-echo';
import Pusher from 'pusher-js';
import type { ServerConfig } from '#contract/records/sync.ts';

/** What a device hears of its person's changes. Each call may come twice, late, or never: what counts is pulled. */
export interface LiveHandlers {
  /** A message as it was sent out; whole, or only by its number where it is long. */
  onMessage(message: unknown): void;
  onReceipt(receipt: { conversationId: string; delivered: number; read: number }): void;
  /** Something changed: pull. */
  onChange(): void;
  /** The line is there (again): what waited can go, and what was missed meanwhile is to be pulled. */
  onConnected(): void;
}

export interface LiveOptions {
  pusher: NonNullable<ServerConfig['pusher']>;
  /** '' for the page's own origin. */
  apiBase: string;
  userId: string;
  /** The token as it is now; null once signed out. */
  token(): string | null;
  handlers: LiveHandlers;
}

export interface Live {
  /** Id of the socket, so that the server can leave it out of what it writes; undefined while there is none. */
  socketId(): string | undefined;
  /** Listens to a conversation as well; the answer leaves. */
  join(conversationId: string): () => void;
  /** The page is seen again after a while, or the token is a new one: what does not answer is opened anew. */
  wake(): void;
  close(): void;
}

/** As the specification has them, milliseconds; they are pusher-js' own, too. */
const ACTIVITY_MS = 120_000;
const PONG_MS = 30_000;
const UNAVAILABLE_MS = 10_000;
/** A refused subscription is tried again after so long at the earliest, and at most so long; milliseconds. */
const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 60_000;
/** How long news of a message waits for the message itself before it is pulled, milliseconds. */
const MESSAGE_GRACE_MS = 1000;
/** Ids of the last messages heard: one comes by two channels. */
const MAX_REMEMBERED_IDS = 200;

interface SubscriptionError {
  status?: number;
}

function getConnectionOptions({ pusher, apiBase }: LiveOptions) {
  const { key, cluster, host, port, tls } = pusher;
  const own = new URL(apiBase || location.origin);
  const isSecure = tls ?? own.protocol === 'https:';
  const usual = isSecure ? 443 : 80;
  const at = port ?? (host === null ? Number(own.port || usual) : usual);
  return { key, cluster, wsHost: host ?? own.hostname, wsPort: at, wssPort: at, forceTLS: isSecure };
}

/**
 * The live connection of one person on this device. It only makes things faster: on each subscription, and whenever it
 * was not sure, it has the app pull. Source: docs/decisions/012-live-updates.md.
 */
export function openLive(options: LiveOptions): Live {
  const { handlers } = options;
  // Asked for each time: a token that was renewed is the one that counts.
  const headersProvider = () => ({
    Authorization: `Bearer ${options.token() ?? ''}`,
    Accept: 'application/json',
    'X-Requested-With': 'XMLHttpRequest',
  });
  const echo = new Echo<'pusher'>({
    broadcaster: 'pusher',
    Pusher,
    ...getConnectionOptions(options),
    // Without it the fallbacks would turn to the makers' own servers. By TLS, too, where that is told.
    enabledTransports: ['ws'],
    activityTimeout: ACTIVITY_MS,
    pongTimeout: PONG_MS,
    unavailableTimeout: UNAVAILABLE_MS,
    channelAuthorization: { transport: 'ajax', endpoint: `${options.apiBase}/broadcasting/auth`, headersProvider },
    userAuthentication: {
      transport: 'ajax',
      endpoint: `${options.apiBase}/broadcasting/user-auth`,
      headersProvider,
      // Its types ask for them.
      headers: {},
    },
  });
  const { pusher } = echo.connector;
  const isService = options.pusher.host !== null;
  let isLeaving = false;
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  // A service knows sockets by who signed in on them; so it can end them when the server says so.
  if (isService) pusher.signin();
  const receivedIds = new Set<string>();
  const retries = new Map<string, { timer: ReturnType<typeof setTimeout> | undefined; tries: number }>();
  let lastMessageAt = -Infinity;
  let lastFrameAt = performance.now();
  let changeTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param place where it was said, as the channel tells; other servers may say no more than that it was */
  function handleMessage({ message }: { message?: unknown }, place?: string): void {
    lastMessageAt = performance.now();
    const said = typeof message === 'object' && message !== null ? (message as { id?: unknown }) : {};
    if (said.id != null) {
      const id = String(said.id);
      if (receivedIds.has(id)) return;
      receivedIds.add(id);
      if (receivedIds.size > MAX_REMEMBERED_IDS) receivedIds.delete([...receivedIds][0]!);
    }
    handlers.onMessage({ ...(place && { conversation_id: place }), ...said });
  }

  /** News of messages alone come with the messages: only where those stay away is there something to pull. */
  function handleRecordsChanged({ types }: { types?: string[] }): void {
    const isOfMessages = types?.includes('message') && types.every((type) => /^(message|conversation)$/.test(type));
    if (!isOfMessages) return handlers.onChange();
    const toldAt = performance.now();
    clearTimeout(changeTimer);
    changeTimer = setTimeout(() => {
      if (lastMessageAt < toldAt - MESSAGE_GRACE_MS) handlers.onChange();
    }, MESSAGE_GRACE_MS);
  }

  function subscribe(name: string) {
    const channel = echo.private(name);
    const key = `private-${name}`;
    channel
      .subscribed(() => {
        retries.delete(key);
        // Only now: what was said before the subscription stood is missed otherwise.
        handlers.onConnected();
      })
      .error((error: SubscriptionError) => retryLater(key, error));
    return channel;
  }

  /** pusher-js gives a refused channel up for good: a token renewed since, or a server in trouble, is no reason to. */
  function retryLater(key: string, { status }: SubscriptionError): void {
    // No business there any more. A token that is refused waits for the sign-in, which wakes this.
    if (status === 403 || status === 401) return;
    const tries = (retries.get(key)?.tries ?? 0) + 1;
    const ms = FIRST_RETRY_MS + Math.random() * Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** tries);
    retries.set(key, { tries, timer: setTimeout(() => pusher.subscribe(key), ms) });
  }

  pusher.connection.bind('message', () => {
    lastFrameAt = performance.now();
  });
  pusher.connection.bind('disconnected', () => {
    if (isLeaving) return;
    // Closed for good by the other side: the session may be over, which the next pull finds out.
    handlers.onChange();
    // A service ends all sockets of a person for one of them; the others are to come back.
    if (isService)
      reconnectTimer = setTimeout(() => options.token() && pusher.connect(), FIRST_RETRY_MS * (0.5 + Math.random()));
  });
  subscribe(`App.Models.User.${options.userId}`)
    .listen('MessageSent', (event: { message?: unknown }) => handleMessage(event))
    .listen('ReceiptChanged', (told: { conversation_id: unknown; delivered_seq: number; read_seq: number }) =>
      handlers.onReceipt({
        conversationId: String(told.conversation_id),
        delivered: told.delivered_seq,
        read: told.read_seq,
      }),
    )
    .listen('ConnectionChanged', () => handlers.onChange())
    .listen('NotificationCreated', () => handlers.onChange())
    .listen('RecordsChanged', handleRecordsChanged);

  function disconnect(): void {
    clearTimeout(reconnectTimer);
    isLeaving = true;
    pusher.disconnect();
    isLeaving = false;
  }

  return {
    socketId: () => (pusher.connection.state === 'connected' ? pusher.connection.socket_id : undefined),
    join(conversationId) {
      const name = `chat.${conversationId}`;
      subscribe(name).listen('MessageSent', (event: { message?: unknown }) => handleMessage(event, conversationId));
      return () => {
        clearTimeout(retries.get(`private-${name}`)?.timer);
        retries.delete(`private-${name}`);
        echo.leave(name);
      };
    },
    wake() {
      const isStale = performance.now() - lastFrameAt > ACTIVITY_MS + PONG_MS;
      if (pusher.connection.state !== 'connected' || isStale) {
        disconnect();
        pusher.connect();
        return;
      }
      for (const channel of pusher.allChannels()) {
        if (!channel.subscribed && !channel.subscriptionPending) pusher.subscribe(channel.name);
      }
    },
    close() {
      clearTimeout(changeTimer);
      for (const { timer } of retries.values()) clearTimeout(timer);
      disconnect();
    },
  };
}
