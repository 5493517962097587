import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SlowBodies } from '#server/platform/plugins/slow-clients.ts';
import { openTestServer, type TestServer } from './support/test-server.ts';

const opened: net.Socket[] = [];
const closeSockets = () => {
  for (const socket of opened.splice(0)) socket.destroy();
};
afterEach(closeSockets);
/** Opens a raw TCP connection. */
async function connectTo(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  opened.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe('request body', () => {
  let nowMs = 0;
  let bodies: SlowBodies;
  let server: http.Server;
  let port = 0;
  let answer: (response: http.ServerResponse) => void;
  beforeEach(async () => {
    nowMs = 0;
    bodies = new SlowBodies(() => nowMs);
    answer = () => undefined;
    server = http.createServer((request, response) => {
      bodies.watch(request, response);
      request.resume();
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as net.AddressInfo).port;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const sendHead = async (type: string) => {
    const socket = await connectTo(port);
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n`);
    await expect.poll(() => bodies.size).toBe(1);
    return socket;
  };
  const advance = (seconds: number) => {
    nowMs += seconds * 1000;
    bodies.closeSlow();
  };
  /** Sends bytes and waits until the server has received them. */
  const send = async (socket: net.Socket, bytes: number) => {
    const [other] = await new Promise<net.Socket[]>((resolve) => {
      server.getConnections(() => resolve(connections));
    });
    const before = other?.bytesRead ?? 0;
    socket.write('x'.repeat(bytes));
    await expect.poll(() => other?.bytesRead).toBe(before + bytes);
  };
  let connections: net.Socket[] = [];
  beforeEach(() => {
    connections = [];
    server.on('connection', (socket) => connections.push(socket));
  });

  test('is cut off after twenty seconds without progress', async () => {
    const socket = await sendHead('application/json');
    advance(19);
    expect(bodies.size).toBe(1);
    const closed = once(socket, 'close');
    advance(1);
    await closed;
    await expect.poll(() => bodies.size).toBe(0);
  });

  test('is cut off within thirty seconds when it trickles', async () => {
    const socket = await sendHead('application/json');
    const closed = once(socket, 'close');
    for (let n = 0; n < 5; n += 1) {
      await send(socket, 10);
      advance(5);
    }
    await closed;
  });

  test('is accepted when it is slow but steady', async () => {
    const socket = await sendHead('application/json');
    for (let n = 0; n < 20; n += 1) {
      await send(socket, 10_000);
      advance(9);
    }
    expect(bodies.size).toBe(1);
  });

  test.each(['application/offset+octet-stream', 'multipart/form-data; boundary=a'])(
    'of an upload (%s) is accepted as long as bytes arrive and cut off when they stop',
    async (type) => {
      const socket = await sendHead(type);
      for (let n = 0; n < 10; n += 1) {
        await send(socket, 10);
        advance(19);
      }
      expect(bodies.size).toBe(1);
      const closed = once(socket, 'close');
      advance(19);
      advance(1);
      await closed;
    },
  );

  test('is not awaited after the response', async () => {
    answer = (response) => response.writeHead(401).end('{}');
    const socket = await sendHead('application/json');
    await once(socket, 'data');
    const closed = once(socket, 'close');
    advance(1);
    advance(5);
    await closed;
  });

  test('is no longer watched once it is complete', async () => {
    const socket = await connectTo(port);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
    await expect.poll(() => bodies.size).toBe(0);
    advance(100);
    expect(socket.destroyed).toBe(false);
  });

  test('leaves no listeners on a kept-alive connection once it is complete', async () => {
    answer = (response) => response.end();
    const socket = await connectTo(port);
    const listeners: (number | undefined)[] = [];
    for (let n = 0; n < 3; n += 1) {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
      await once(socket, 'data');
      await expect.poll(() => bodies.size).toBe(0);
      listeners.push(connections[0]?.listenerCount('close'));
    }
    expect(listeners).toEqual(Array(3).fill(listeners[0]));
  });
});

describe('the server', () => {
  let testServer: TestServer;
  const listen = async (env: Record<string, string>) => {
    testServer = await openTestServer({ env });
    await testServer.app.listen({ port: 0, host: '127.0.0.1' });
    return (testServer.app.server.address() as net.AddressInfo).port;
  };
  afterEach(() => {
    closeSockets();
    return testServer.close();
  });

  test('closes connections with incomplete headers within thirty seconds, and idle connections', async () => {
    await listen({});
    const { headersTimeout, timeout } = testServer.app.server;
    // Node checks these timeouts every five seconds.
    expect(headersTimeout).toBe(20_000);
    expect(timeout).toBe(120_000);
  });

  test('limits a request to one hour', async () => {
    await listen({});
    expect(testServer.app.server.requestTimeout).toBe(3_600_000);
  });

  test('closes connections with stalled bodies', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    try {
      const port = await listen({});
      const socket = await connectTo(port);
      socket.write('POST /login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
      const isClosed = () => {
        vi.advanceTimersByTime(5000);
        return socket.destroyed;
      };
      await expect.poll(isClosed, { timeout: 10_000 }).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('limits connections per address and accepts more once one is closed', async () => {
    const port = await listen({ MAX_CONNECTIONS_PER_ADDRESS: '3' });
    const [first] = [await connectTo(port), await connectTo(port), await connectTo(port)];
    const refused = await connectTo(port);
    await once(refused, 'close');
    first.destroy();
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.status)
      .toBe(200);
  });

  test('limits clients behind a proxy by their own address', async () => {
    const port = await listen({ MAX_CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '127.0.0.1' });
    const ask = (client: string, body?: string) => {
      const method = body === undefined ? 'GET' : 'POST';
      const path = body === undefined ? '/healthz' : '/login';
      const agent = new http.Agent();
      const request = http.request({
        port,
        host: '127.0.0.1',
        agent,
        path,
        method,
        headers: {
          'x-forwarded-for': client,
          ...(body !== undefined && { 'content-length': 100, 'content-type': 'application/json' }),
        },
      });
      request.on('error', () => undefined);
      if (body === undefined) request.end();
      else request.write(body);
      return request;
    };
    const getStatus = async (request: http.ClientRequest) => {
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      await text(answer);
      return answer.statusCode;
    };
    // Two requests that stay incomplete.
    const halves = [ask('203.0.113.1', '{'), ask('203.0.113.1', '{')];
    await expect.poll(async () => getStatus(ask('203.0.113.1'))).toBe(429);
    expect(await getStatus(ask('203.0.113.2'))).toBe(200);
    for (const half of halves) half.destroy();
    await expect.poll(async () => getStatus(ask('203.0.113.1'))).toBe(200);
  });

  test('ignores an upgrade offer of a request', async () => {
    const port = await listen({});
    const socket = await connectTo(port);
    let answer = '';
    socket.on('data', (data: Buffer) => (answer += data.toString()));
    const body = JSON.stringify({ email: 'nobody@callboard.example', password: 'not this one' });
    socket.write(
      'POST /login HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n' +
        `Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    // The server read the body as well.
    await expect.poll(() => answer, { timeout: 20_000 }).toMatch(/^HTTP\/1\.1 422 [^]*"email"/);
    // The connection stays usable.
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => answer, { timeout: 20_000 }).toContain('HTTP/1.1 200 ');
  });
});
