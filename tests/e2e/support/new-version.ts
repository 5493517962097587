import { request } from 'node:http';
import { type HttpProxy, startHttpProxy } from './http-proxy.ts';

/** The server behind a proxy where a new version of the app can be put out: its worker differs by one line. */
export interface NewVersionProxy extends HttpProxy {
  /** From now on the new version is served. */
  release(): void;
}

/** Stands in front of `port` on this machine. */
export async function startNewVersionProxy(port: number): Promise<NewVersionProxy> {
  let isReleased = false;
  const proxy = await startHttpProxy((incoming, outgoing) => {
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
  return { ...proxy, release: () => void (isReleased = true) };
}
