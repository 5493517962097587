import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { listen } from './listen.ts';

/** The server behind a door where a new version of the app can be put out: its worker differs by one line. */
export interface NextVersion {
  url: string;
  /** From now on the new version is served. */
  release(): void;
  close(): Promise<void>;
}

/** Stands in front of `port` on this machine. */
export async function nextVersion(port: number): Promise<NextVersion> {
  let isReleased = false;
  const door = createServer((incoming, outgoing) => {
    const isWorker = incoming.url === '/sw.js' && isReleased;
    const headers = isWorker ? { accept: '*/*' } : incoming.headers;
    const upstream = request({ port, host: '127.0.0.1', method: incoming.method, path: incoming.url, headers });
    upstream.on('response', (answer) => {
      const said = { ...answer.headers };
      if (isWorker) for (const name of ['content-length', 'etag']) delete said[name];
      outgoing.writeHead(answer.statusCode ?? 502, said);
      answer.pipe(outgoing, { end: !isWorker });
      if (isWorker) answer.on('end', () => outgoing.end('\n// The next version.\n'));
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  const ownPort = await listen(door);
  return {
    url: `http://127.0.0.1:${ownPort}`,
    release: () => void (isReleased = true),
    async close() {
      door.closeAllConnections();
      door.close();
      await once(door, 'close');
    },
  };
}
