import Pusher from 'pusher-js';
import type { ReceiptChanged, RecordsChanged } from '#contract/records/live.ts';
import type { Notification } from '#contract/records/notifications.ts';
import type { ServerConfig } from '#contract/records/sync.ts';

/** Receives live events. Each may arrive twice, late, or never: the pull is what counts. */
export interface LiveHandlers {
  /** A message, whole, or only its id where it is long, and the notification about it if it came along. */
  onMessage(message: unknown, notification?: Notification): void;
  onReceipt(receipt: { conversationId: string; delivered: number; read: number }): void;
  /** Something changed, or may have, or the server may be gone: pull. */
  onChange(): void;
  /** A subscription succeeded, perhaps after an outage: send what waits, and pull what was missed. */
  onConnected(): void;
}

export interface LiveOptions {
  pusher: NonNullable<ServerConfig['pusher']>;
  /** '' for the page's own origin. */
  apiBase: string;
  userId: string;
  /** The current token; null once signed out. */
  token(): string | null;
  handlers: LiveHandlers;
}

export interface Live {
  /** Id of the socket, which the server leaves out of the events about this page's own writes; undefined while not connected. */
  socketId(): string | undefined;
  /** Subscribes to a conversation. @returns a function that unsubscribes */
  join(conversationId: string): () => void;
  /** Reconnects or subscribes again where necessary. For a page that is visible again, and for a new token. */
  wake(): void;
  close(): void;
}

/** Milliseconds, from the specification. They are also the defaults of pusher-js. */
const ACTIVITY_MS = 120_000;
const PONG_MS = 30_000;
const UNAVAILABLE_MS = 10_000;
/** The shortest and longest back-off of a subscription that failed, in milliseconds. */
const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 60_000;
/** How long a broken connection may take to come back until the app asks whether there is a server at all, and at most as long again. */
const LOST_MS = 1500;
/** How many message ids to remember: without a changes channel, each message arrives on two channels. */
const MAX_REMEMBERED_IDS = 200;
/** Laravel servers name their events by class, so that their Echo client can listen for 'MessageSent'. */
const NAMESPACE = 'App\\Events\\';

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
 * Opens the live connection of the signed-in person. It only makes updates faster: after each subscription, and whenever an event may
 * have been missed, the app pulls. Source: docs/decisions/012-live-updates.md.
 */
export function openLive(options: LiveOptions): Live {
  const { handlers } = options;
  // Called for each request, because the token may have been renewed.
  const headersProvider = () => ({
    Authorization: `Bearer ${options.token() ?? ''}`,
    Accept: 'application/json',
    'X-Requested-With': 'XMLHttpRequest',
  });
  const { key, ...connection } = getConnectionOptions(options);
  const pusher = new Pusher(key, {
    ...connection,
    // The fallback transports would connect to the servers of Pusher. A secure WebSocket counts as 'ws', too.
    enabledTransports: ['ws'],
    activityTimeout: ACTIVITY_MS,
    pongTimeout: PONG_MS,
    unavailableTimeout: UNAVAILABLE_MS,
    channelAuthorization: { transport: 'ajax', endpoint: `${options.apiBase}/broadcasting/auth`, headersProvider },
    userAuthentication: {
      transport: 'ajax',
      endpoint: `${options.apiBase}/broadcasting/user-auth`,
      headersProvider,
      // Required by the type.
      headers: {},
    },
  });
  const isService = options.pusher.host !== null;
  let isLeaving = false;
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  let lostTimer: ReturnType<typeof setTimeout> | undefined;
  // A service knows the user of a socket from its sign-in. Without one, the server could not close the sockets of a session that ended.
  if (isService) pusher.signin();
  const receivedIds = new Set<string>();
  const retries = new Map<string, { timer: ReturnType<typeof setTimeout> | undefined; tries: number }>();
  let lastFrameAt = performance.now();

  /** @param conversationId from the channel; a basic API may send nothing else that identifies the message */
  function handleMessage({ message }: { message?: unknown }, conversationId?: string): void {
    const body = typeof message === 'object' && message !== null ? (message as { id?: unknown }) : {};
    if (body.id != null) {
      const id = String(body.id);
      if (receivedIds.has(id)) return;
      receivedIds.add(id);
      if (receivedIds.size > MAX_REMEMBERED_IDS) receivedIds.delete([...receivedIds][0]!);
    }
    handlers.onMessage({ ...(conversationId && { conversation_id: conversationId }), ...body });
  }

  const handleReceipt = ({ conversation_id: id, delivered_seq: delivered, read_seq: read }: ReceiptChanged) =>
    handlers.onReceipt({ conversationId: String(id), delivered, read });

  /** One write of anybody that changed records of this person. */
  function handleRecordsChanged({ message, notification, receipt, is_whole: isWhole }: RecordsChanged): void {
    if (message) handlers.onMessage(message, notification);
    if (receipt) handleReceipt(receipt);
    if (!isWhole) handlers.onChange();
  }

  /** Subscribes to a private channel. @returns a function that adds a listener for an event */
  function subscribe(name: string) {
    const channel = pusher.subscribe(name);
    channel.bind('pusher:subscription_succeeded', () => {
      retries.delete(name);
      // Not earlier: events from before the subscription were missed.
      handlers.onConnected();
    });
    channel.bind('pusher:subscription_error', (error: SubscriptionError) => retryLater(name, error));
    return <Event>(event: string, listener: (event: Event) => void) => channel.bind(NAMESPACE + event, listener);
  }

  /** pusher-js never retries a failed subscription, although the token may since have been renewed or the server have recovered. */
  function retryLater(name: string, { status }: SubscriptionError): void {
    // 403: the person may no longer listen. 401: the token was refused; signing in again calls `wake`.
    if (status === 403 || status === 401) return;
    const tries = (retries.get(name)?.tries ?? 0) + 1;
    const ms = FIRST_RETRY_MS + Math.random() * Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** tries);
    retries.set(name, { tries, timer: setTimeout(() => pusher.subscribe(name), ms) });
  }

  pusher.connection.bind('message', () => {
    lastFrameAt = performance.now();
  });
  // Somebody who only reads sends nothing that fails, so without this the page would say for minutes that it is online. At a random
  // moment, because a node that ends breaks the connections of many.
  pusher.connection.bind('state_change', ({ previous, current }: { previous: string; current: string }) => {
    if (current === 'connected') clearTimeout(lostTimer);
    else if (previous === 'connected' && !isLeaving)
      lostTimer = setTimeout(() => handlers.onChange(), LOST_MS * (1 + Math.random()));
  });
  pusher.connection.bind('disconnected', () => {
    if (isLeaving) return;
    // The server closed the connection for good. The session may have ended, which the next pull finds out.
    handlers.onChange();
    // A service closes all sockets of a person to end one session. The sockets of the other sessions reconnect.
    if (isService)
      reconnectTimer = setTimeout(() => options.token() && pusher.connect(), FIRST_RETRY_MS * (0.5 + Math.random()));
  });
  const hasChangesChannel = options.pusher.changes_channel === true;
  if (hasChangesChannel) subscribe(`private-changes.${options.userId}`)('RecordsChanged', handleRecordsChanged);
  else {
    const listen = subscribe(`private-App.Models.User.${options.userId}`);
    listen('MessageSent', (event: { message?: unknown }) => handleMessage(event));
    listen('ReceiptChanged', handleReceipt);
    for (const event of ['ConnectionChanged', 'NotificationCreated', 'RecordsChanged'])
      listen(event, () => handlers.onChange());
  }

  function disconnect(): void {
    clearTimeout(reconnectTimer);
    clearTimeout(lostTimer);
    isLeaving = true;
    pusher.disconnect();
    isLeaving = false;
  }

  return {
    socketId: () => (pusher.connection.state === 'connected' ? pusher.connection.socket_id : undefined),
    join(conversationId) {
      // Its messages arrive on the changes channel.
      if (hasChangesChannel) return () => undefined;
      const name = `private-chat.${conversationId}`;
      subscribe(name)('MessageSent', (event: { message?: unknown }) => handleMessage(event, conversationId));
      return () => {
        clearTimeout(retries.get(name)?.timer);
        retries.delete(name);
        pusher.unsubscribe(name);
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
      for (const { timer } of retries.values()) clearTimeout(timer);
      disconnect();
    },
  };
}
