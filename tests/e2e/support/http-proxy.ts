import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type RequestListener, createServer, request } from 'node:http';
import { listen } from './listen.ts';

/** A server of a test that stands in front of the app's. */
export interface HttpProxy {
  /** The origin to visit instead of the server's. */
  url: string;
  close(): Promise<void>;
}

/** Opens a server on a port of its own. Closing it ends every connection it still has. */
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

/** All bytes of a request or an answer. @throws when it breaks off */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Asks the server on `port` of this machine and waits for its whole answer. @throws where there is none */
export async function forwardRequest(port: number, { method, path, headers, body }: ProxyRequest) {
  const upstream = request({ port, host: '127.0.0.1', method, path, headers });
  // An error behind the head of the answer reaches whoever reads its body.
  upstream.on('error', () => undefined);
  upstream.end(body);
  const [answer] = (await once(upstream, 'response')) as [IncomingMessage];
  return { answer, got: await readBody(answer) };
}
