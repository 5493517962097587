import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Broadcast } from '#server/platform/live/broadcaster.ts';
import { openService, type SocketRegistry } from '#server/platform/live/service.ts';
import { createSocketRegistry } from '#server/platform/live/socket-registry.ts';
import { CREDENTIALS } from './support/live-client.ts';
import { quietLog } from './support/quiet.ts';
import { openTestServer, type Person } from './support/test-server.ts';

interface RecordedRequest {
  path: string;
  body: { batch?: { channel: string; name: string; data: string; socket_id?: string }[] };
}

/** A fake live service: records requests and answers with the status a test sets. */
let requests: RecordedRequest[] = [];
let getStatus: (one: RecordedRequest) => number = () => 200;
let service: http.Server;
beforeEach(async () => {
  requests = [];
  getStatus = () => 200;
  service = http.createServer((request, response) => {
    void text(request).then((body) => {
      const one = { path: request.url!.split('?', 1)[0]!, body: JSON.parse(body || '{}') as RecordedRequest['body'] };
      requests.push(one);
      response.writeHead(getStatus(one), { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => service.close(resolve)));

/** Lets any session claim any socket. */
const anySocket = { claim: () => Promise.resolve(true) };
const open = (log = quietLog, sockets: SocketRegistry = anySocket) => {
  const { port } = service.address() as AddressInfo;
  const settings = { appId: 'callboard', ...CREDENTIALS, cluster: 'ap2', host: '127.0.0.1', port, tls: false };
  return openService(settings, log, sockets);
};
const event = (n: number, more: object = {}): Broadcast => ({
  kind: 'event',
  channels: ['private-chat.1'],
  event: 'App\\Events\\MessageSent',
  data: { n },
  ...more,
});

describe('external live service', () => {
  test('receives events in batches of ten, per channel, with the socket to exclude', async () => {
    const { publish } = await open();
    const notes = Array.from({ length: 6 }, (_, n) =>
      event(n, { channels: ['private-a', 'private-b'], except: '1.2' }),
    );
    await publish(notes);
    const events = requests.flatMap(({ body }) => body.batch ?? []);
    expect(requests.map(({ path, body }) => [path, body.batch?.length]).sort()).toEqual([
      ['/apps/callboard/batch_events', 10],
      ['/apps/callboard/batch_events', 2],
    ]);
    expect(events).toContainEqual({
      channel: 'private-b',
      name: 'App\\Events\\MessageSent',
      data: '{"n":5}',
      socket_id: '1.2',
    });
  });

  test('terminates the sockets of people who signed out or lost access to a channel, once each', async () => {
    const { publish } = await open();
    await publish([
      { kind: 'signed out', userId: '7', sessionId: '70' },
      { kind: 'signed out', userId: '7', sessionId: '71' },
      { kind: 'sent out', userId: '8', channel: 'private-chat.1' },
    ]);
    expect(requests.map(({ path }) => path).sort()).toEqual([
      '/apps/callboard/users/7/terminate_connections',
      '/apps/callboard/users/8/terminate_connections',
    ]);
  });

  test('receives the other events when it rejects one', async () => {
    const warnings: unknown[] = [];
    const { publish } = await open({ ...quietLog, warn: (about: unknown) => void warnings.push(about) });
    getStatus = ({ body }) => (body.batch?.some(({ data }) => data === '{"n":2}') ? 413 : 200);
    await publish([event(1), event(2), event(3), { kind: 'sent out', userId: '8', channel: 'private-chat.1' }]);
    const taken = requests.filter((one) => getStatus(one) === 200).flatMap(({ body }) => body.batch ?? []);
    expect(taken.map(({ data }) => data).sort()).toEqual(['{"n":1}', '{"n":3}']);
    expect(requests.at(-1)?.path).toBe('/apps/callboard/users/8/terminate_connections');
    expect(warnings).toMatchObject([{ status: 413 }]);
  });

  test('is not asked repeatedly when it does not support terminating sockets', async () => {
    const { publish } = await open();
    getStatus = () => 404;
    await publish([{ kind: 'sent out', userId: '8', channel: 'private-chat.1' }]);
    expect(requests).toHaveLength(1);
  });

  test.each([401, 403, 429, 500, 503])('receives an event again after it answers %d', async (status) => {
    const { publish } = await open();
    getStatus = () => status;
    await expect(publish([event(1)])).rejects.toMatchObject({ status });
  });

  test('authorizes the channels that the server allows and authenticates the user', async () => {
    const { authorize, authenticate } = await open();
    const owner = { userId: '7', sessionId: '70' };
    const ask = (mayListen: boolean) =>
      authorize({ socketId: '1.2', channel: 'private-chat.1', owner, mayListen: () => Promise.resolve(mayListen) });
    expect(await ask(false)).toBeNull();
    expect(await ask(true)).toEqual({ auth: expect.stringMatching(/^stage-key:[\da-f]{64}$/) as string });
    expect(await authenticate('1.2', owner, () => Promise.resolve(true))).toEqual({
      auth: expect.stringMatching(/^stage-key:[\da-f]{64}$/) as string,
      user_data: '{"id":"7"}',
    });
  });

  test('signs nothing for a socket of another session or an ended session', async () => {
    const owner = { userId: '7', sessionId: '70' };
    const [yes, no] = [() => Promise.resolve(true), () => Promise.resolve(false)];
    const taken = await open(quietLog, { claim: no });
    expect(await taken.authorize({ socketId: '1.2', channel: 'private-chat.1', owner, mayListen: yes })).toBeNull();
    expect(await taken.authenticate('1.2', owner, yes)).toBeNull();
    const free = await open();
    expect(await free.authenticate('1.2', owner, no)).toBeNull();
  });

  test('is called at its API URL and announced to devices at its public host', async () => {
    const { port } = service.address() as AddressInfo;
    const hosted = { cluster: 'ap2', host: 'callboard.example', tls: true, apiUrl: `http://127.0.0.1:${port}` };
    const { publish, address } = await openService(
      { appId: 'callboard', ...CREDENTIALS, ...hosted },
      quietLog,
      anySocket,
    );
    await publish([event(1)]);
    expect(requests).toHaveLength(1);
    expect(address).toMatchObject({ host: 'callboard.example', port: 443, tls: true });
  });

  test('is announced by its own host when it is hosted by Pusher', async () => {
    const hosted = await openService({ appId: '1', ...CREDENTIALS, cluster: 'ap2', tls: true }, quietLog, anySocket);
    expect(hosted.address).toEqual({
      key: CREDENTIALS.key,
      cluster: 'ap2',
      host: 'ws-ap2.pusher.com',
      port: 443,
      tls: true,
    });
  });
});

test('gives a socket to the first session that claims it and never to an ended one', async () => {
  const testServer = await openTestServer();
  const { claim } = createSocketRegistry(testServer.database.db, testServer.clock);
  const first = await testServer.join();
  const ownerOf = async ({ id, token }: Person) => {
    const { body } = await testServer.call<{ id: string; current: boolean }[]>('GET /sessions', { token });
    return { userId: id, sessionId: body.find(({ current }) => current)!.id };
  };
  const [one, two] = [await ownerOf(first), await ownerOf(await testServer.signIn(first))];
  expect(await claim('1.2', one)).toBe(true);
  expect(await claim('1.2', two)).toBe(false);
  expect(await claim('1.2', one)).toBe(true);
  await testServer.call('POST /logout', { token: first.token });
  expect(await claim('1.3', one)).toBe(false);
  await testServer.close();
});

test.each([
  [{ PUSHER_HOST: 'live.callboard.example' }, 'wss://live.callboard.example:443'],
  [{ PUSHER_HOST: 'live', PUSHER_PORT: '6001', PUSHER_SCHEME: 'http' }, 'ws://live:6001 wss://live:6001'],
  [{ PUSHER_CLUSTER: 'eu' }, 'wss://ws-eu.pusher.com:443'],
])('allows pages to connect to the service of %j', async (env, source) => {
  const { key: PUSHER_KEY, secret: PUSHER_SECRET } = CREDENTIALS;
  const testServer = await openTestServer({ env: { PUSHER_APP_ID: 'callboard', PUSHER_KEY, PUSHER_SECRET, ...env } });
  const { headers, body } = await testServer.call<{ pusher: object }>('GET /config');
  expect(headers['content-security-policy']).toMatch(new RegExp(`connect-src 'self' ${source}(;|$)`));
  expect(body.pusher).toMatchObject({ key: PUSHER_KEY, host: new URL(source.split(' ').at(-1)!).hostname });
  await testServer.close();
});
