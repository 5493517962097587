import WebSocket, { type ClientOptions } from 'ws';
import { channelSignature, userSignature, type Credentials } from '#server/platform/live/channels.ts';

export const CREDENTIALS: Credentials = { key: 'stage-key', secret: 'stage-secret' };
export const APP_PATH = `/app/${CREDENTIALS.key}?protocol=7&client=js&version=8.6.0`;

export interface Frame {
  event: string;
  channel?: string;
  data?: string;
}

/** A raw socket that records all frames. */
export class LiveClient {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  /** The close code. */
  readonly closed: Promise<number>;
  #waiting: (() => void)[] = [];
  #failure: Error | undefined;
  #id: Promise<string> | undefined;

  constructor(port: number, path = APP_PATH, options: ClientOptions = {}) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
    this.socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as Frame);
      for (const check of this.#waiting.splice(0)) check();
    });
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
    // A socket that is closed while it is connecting emits an error. Whoever waits for its frames is told.
    this.socket.on('error', (error) => {
      this.#failure = error;
      for (const check of this.#waiting.splice(0)) check();
    });
  }

  /** Waits for the next frame. Throws when the socket has failed, because no frame will come. */
  async #somethingNew(awaited: string): Promise<void> {
    if (!this.#failure) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#failure) throw new Error(`the socket failed before ${awaited} arrived`, { cause: this.#failure });
  }

  /** Returns the first matching frame, which may have arrived before. */
  async frame(event: string, channel?: string): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(
        (each) => each.event === event && (channel === undefined || each.channel === channel),
      );
      if (found) return found;
      await this.#somethingNew(event);
    }
  }

  /** Returns the parsed data of the first matching frame. */
  async receive<T = unknown>(event: string, channel?: string): Promise<T> {
    return JSON.parse((await this.frame(event, channel)).data ?? '') as T;
  }

  count(event: string): number {
    return this.frames.filter((each) => each.event === event).length;
  }

  send(event: string, data: unknown, more: object = {}): void {
    this.socket.send(JSON.stringify({ event, data, ...more }));
  }

  id(): Promise<string> {
    return (this.#id ??= this.receive<{ socket_id: string }>('pusher:connection_established').then(
      ({ socket_id }) => socket_id,
    ));
  }

  /** Sends a ping and waits for the pong: the server has processed everything sent before. */
  async settle(): Promise<void> {
    const before = this.count('pusher:pong');
    this.send('pusher:ping', {});
    while (this.count('pusher:pong') === before) await this.#somethingNew('pusher:pong');
  }

  /** Subscribes with the signature that the channel requires. */
  async subscribe(channel: string, channelData?: string): Promise<Frame> {
    const id = await this.id();
    const isOpen = !/^(private|presence)-/.test(channel);
    const auth = isOpen ? undefined : channelSignature(CREDENTIALS, id, channel, channelData);
    this.send('pusher:subscribe', { channel, auth, channel_data: channelData });
    return this.frame('pusher_internal:subscription_succeeded', channel);
  }

  async signIn(userId: string): Promise<void> {
    const userData = JSON.stringify({ id: userId });
    const auth = userSignature(CREDENTIALS, await this.id(), userData);
    this.send('pusher:signin', { auth, user_data: userData });
    await this.frame('pusher:signin_success');
  }

  end(): void {
    this.socket.terminate();
  }
}

/** Fewer than the 511 connections that Node lets wait. The system resets those beyond them on a busy machine. */
const AT_ONCE = 250;

/** Opens sockets and waits until all are connected. */
export async function openConnected(count: number, open: () => LiveClient): Promise<LiveClient[]> {
  const clients: LiveClient[] = [];
  while (clients.length < count) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - clients.length) }, open);
    await Promise.all(batch.map((client) => client.id()));
    clients.push(...batch);
  }
  return clients;
}
