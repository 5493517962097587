import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { openTestServer } from './support/test-server.ts';

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}

async function get(agent: http.Agent, port: number, path = '/config'): Promise<Answer> {
  const request = http.get({ agent, port, host: '127.0.0.1', path });
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  const text = (await answer.setEncoding('utf8').toArray()).join('');
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(text) };
}

test('answers 503 with Retry-After on keep-alive connections while the server stops', async () => {
  const testServer = await openTestServer();
  await testServer.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = testServer.app.server.address() as AddressInfo;
  const { live } = testServer.app.deps;
  let release = () => {};
  const close = live.close.bind(live);
  const closingLive = new Promise<void>((resolve) => {
    vi.spyOn(live, 'close').mockImplementation(async () => {
      await new Promise<void>((held) => {
        release = held;
        resolve();
      });
      await close();
    });
  });
  const [agent, probe] = [1, 2].map(() => new http.Agent({ keepAlive: true, maxSockets: 1 })) as [
    http.Agent,
    http.Agent,
  ];
  expect((await get(agent, port)).status).toBe(200);
  expect((await get(probe, port, '/livez')).status).toBe(200);
  const closing = testServer.close();
  await closingLive;
  expect(await get(agent, port)).toMatchObject({
    status: 503,
    headers: { connection: 'close', 'retry-after': '1' },
    body: { message: 'The server is not ready. Try again in a moment' },
  });
  expect((await get(probe, port, '/livez')).status).toBe(200);
  release();
  await closing;
});

test('says that it is not ready before it refuses anything', async () => {
  const testServer = await openTestServer();
  expect((await testServer.call('GET /readyz')).status).toBe(200);
  testServer.app.deps.health.drain();
  const answer = await testServer.call('GET /readyz');
  expect([answer.status, answer.body.checks]).toMatchObject([503, { database: 'ok', draining: 'draining' }]);
  expect((await testServer.call('GET /livez')).status).toBe(200);
  expect((await testServer.call('GET /config')).status).toBe(200);
  await testServer.close();
});
