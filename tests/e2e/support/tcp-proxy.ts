import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { listen } from './listen.ts';

/** A TCP proxy that can cut a connection at a given byte, and drop or hold back a response. */
export interface TcpProxy {
  /** The origin to visit instead of the server's. */
  url: string;
  /**
   * Destroys the connection that carries the n-th byte sent to the server from now on. With several numbers, each cut counts
   * from the previous one.
   */
  cutAfterBytes(...bytes: number[]): void;
  /**
   * As `cutAfterBytes`, but the server does not notice: the device has moved to another network, and its old connection stays open and
   * silent.
   */
  changeNetworkAfterBytes(bytes: number): void;
  /** Number of connections cut so far. */
  cutCount(): number;
  /**
   * Forwards the next request that starts with this text (e.g. 'POST /skills') and cuts its response after the headers.
   * Without the headers, Chromium would repeat the request itself, even a POST.
   */
  dropResponseTo(start: string): void;
  /** Number of responses dropped so far. */
  droppedCount(): number;
  /** Holds back the response to the next request that starts with this text, after the server has sent it. */
  holdResponseTo(start: string): HeldResponse;
  /** Limits each connection's upload rate. */
  limitRate(bytesPerSecond: number): void;
  /** Number of bytes sent to the server so far. */
  sentBytes(): number;
  close(): Promise<void>;
}

/** A response that the proxy holds back until the test releases it. */
export interface HeldResponse {
  /** True once the server has responded and the response is held. */
  isHeld(): boolean;
  release(): void;
}

/**
 * Starts a TCP proxy in front of `port` on localhost.
 * @param bytesPerSecond upload rate limit of each connection
 */
export async function startTcpProxy(port: number, bytesPerSecond = Infinity): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const pendingCuts: { bytes: number; isNoticed: boolean }[] = [];
  const pendingLosses: string[] = [];
  const pendingHolds: { start: string; onHeld: (release: () => void) => void }[] = [];
  let speed = bytesPerSecond;
  let sinceCut = 0;
  let sent = 0;
  let cuts = 0;
  let lost = 0;

  const tcpProxy = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let isAbandoned = false;
    let losesAnswer = false;
    let holdsAnswer: ((release: () => void) => void) | undefined;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => open.delete(socket));
    }
    upstream.on('close', () => client.destroy());
    // Bytes that passed the proxy arrive, however slowly the server reads them.
    client.on('close', () => void (isAbandoned || upstream.end()));
    client.on('data', (chunk) => {
      const cut = pendingCuts[0];
      const room = cut === undefined ? chunk.length : cut.bytes - sinceCut;
      const text = chunk.subarray(0, 200).toString('latin1');
      const loss = pendingLosses.findIndex((start) => text.startsWith(start));
      if (loss >= 0) {
        pendingLosses.splice(loss, 1);
        losesAnswer = true;
      }
      const hold = pendingHolds.findIndex(({ start }) => text.startsWith(start));
      if (hold >= 0) holdsAnswer = pendingHolds.splice(hold, 1)[0]?.onHeld;
      const passed = chunk.subarray(0, Math.min(chunk.length, Math.max(0, room)));
      sent += passed.length;
      sinceCut += passed.length;
      if (cut !== undefined && chunk.length >= room) {
        pendingCuts.shift();
        sinceCut = 0;
        cuts += 1;
        isAbandoned = !cut.isNoticed;
        // The bytes up to the cut arrive. Then the connection is dead, on both sides if the server notices.
        if (isAbandoned) upstream.write(passed);
        else upstream.end(passed);
        client.resetAndDestroy();
        return;
      }
      const flows = upstream.write(passed);
      const busyMs = (passed.length * 1000) / speed;
      if (flows && busyMs === 0) return;
      client.pause();
      const resume = () => setTimeout(() => client.resume(), busyMs);
      if (flows) resume();
      else upstream.once('drain', resume);
    });
    upstream.on('data', (chunk) => {
      if (losesAnswer) {
        lost += 1;
        const headEnd = chunk.indexOf('\r\n\r\n');
        client.end(headEnd < 0 ? chunk : chunk.subarray(0, headEnd + 4));
        return;
      }
      if (holdsAnswer) {
        upstream.pause();
        upstream.unshift(chunk);
        const onHeld = holdsAnswer;
        holdsAnswer = undefined;
        onHeld(() => upstream.resume());
        return;
      }
      if (!client.write(chunk)) {
        upstream.pause();
        client.once('drain', () => upstream.resume());
      }
    });
  });
  const ownPort = await listen(tcpProxy);

  return {
    url: `http://127.0.0.1:${ownPort}`,
    cutAfterBytes(...bytes) {
      sinceCut = 0;
      pendingCuts.push(...bytes.map((each) => ({ bytes: each, isNoticed: true })));
    },
    changeNetworkAfterBytes(bytes) {
      pendingCuts.push({ bytes, isNoticed: false });
    },
    cutCount: () => cuts,
    dropResponseTo: (start) => void pendingLosses.push(start),
    droppedCount: () => lost,
    holdResponseTo(start) {
      let release: (() => void) | undefined;
      pendingHolds.push({ start, onHeld: (go) => (release = go) });
      return { isHeld: () => release !== undefined, release: () => release?.() };
    },
    limitRate: (rate) => void (speed = rate),
    sentBytes: () => sent,
    async close() {
      open.forEach((socket) => socket.destroy());
      tcpProxy.close();
      await once(tcpProxy, 'close');
    },
  };
}
