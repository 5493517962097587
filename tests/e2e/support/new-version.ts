import { request } from 'node:http';
import { type HttpProxy, startHttpProxy } from './http-proxy.ts';

/** A proxy that can serve a new version of the app: a service worker that differs by one line. */
export interface NewVersionProxy extends HttpProxy {
  /** Serves the new version from now on. */
  release(): void;
}

/** Starts the proxy in front of `port` on localhost. */
export async function startNewVersionProxy(port: number): Promise<NewVersionProxy> {
  let isReleased = false;
  const proxy = await startHttpProxy((incoming, outgoing) => {
    const isWorker = incoming.url === '/sw.js' && isReleased;
    const headers = isWorker ? { accept: '*/*' } : incoming.headers;
    const upstream = request({ port, host: '127.0.0.1', method: incoming.method, path: incoming.url, headers });
    upstream.on('response', (answer) => {
      const responseHeaders = { ...answer.headers };
      if (isWorker) for (const name of ['content-length', 'etag']) delete responseHeaders[name];
      outgoing.writeHead(answer.statusCode ?? 502, responseHeaders);
      answer.pipe(outgoing, { end: !isWorker });
      if (isWorker) answer.on('end', () => outgoing.end('\n// The next version.\n'));
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  return { ...proxy, release: () => void (isReleased = true) };
}
