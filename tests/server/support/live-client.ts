import { once } from 'node:events';
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
  #id: Promise<string> | undefined;

  constructor(port: number, path = APP_PATH, options: ClientOptions = {}) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
    this.socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as Frame);
      for (const check of this.#waiting.splice(0)) check();
    });
    this.closed = once(this.socket, 'close').then(([code]) => code as number);
    // A socket that is closed while it is connecting emits an error.
    this.socket.on('error', () => undefined);
  }

  /** Returns the first matching frame, which may have arrived before. */
  async frame(event: string, channel?: string): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(
        (each) => each.event === event && (channel === undefined || each.channel === channel),
      );
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
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
    while (this.count('pusher:pong') === before) await new Promise<void>((resolve) => this.#waiting.push(resolve));
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
