import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type RequestListener, createServer, request } from 'node:http';
import { listen } from './listen.ts';

/** A test's HTTP server in front of the app's server. */
export interface HttpProxy {
  /** The origin to open instead of the server's. */
  url: string;
  close(): Promise<void>;
}

/** Starts a proxy on a free port. Closing it also closes its open connections. */
export async function startHttpProxy(
  listener: RequestListener,
): Promise<HttpProxy & { server: ReturnType<typeof createServer> }> {
  const server = createServer(listener);
  const port = await listen(server);
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface ProxyRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Reads the whole body of a request or response. @throws if the connection breaks */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Forwards a request to `port` on localhost and reads the whole response. @throws if there is none */
export async function forwardRequest(port: number, { method, path, headers, body }: ProxyRequest) {
  const upstream = request({ port, host: '127.0.0.1', method, path, headers });
  // An error after the response headers surfaces when the body is read.
  upstream.on('error', () => undefined);
  upstream.end(body);
  const [answer] = (await once(upstream, 'response')) as [IncomingMessage];
  return { answer, got: await readBody(answer) };
}
