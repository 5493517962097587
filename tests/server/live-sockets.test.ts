import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isFull } from '../support/quantity.ts';
import { openStandaloneEndpoint, type StandaloneEndpoint } from './support/live-endpoint.ts';
import { userSignature } from '#server/platform/live/channels.ts';
import { APP_PATH, CREDENTIALS, openConnected, type LiveClient } from './support/live-client.ts';

let live: StandaloneEndpoint;
beforeEach(async () => {
  live = await openStandaloneEndpoint();
});
afterEach(() => live.close());

const openMany = (count: number) => openConnected(count, () => live.open());

describe('silent socket', () => {
  test('is pinged after two minutes and stays open when it answers', async () => {
    const client = live.open();
    await client.subscribe('news');
    const pinged = once(client.socket, 'ping');
    live.advance(119);
    await client.settle();
    live.advance(119);
    live.advance(1);
    await pinged;
    // The library answered the ping. This frame arrives after that answer.
    await client.settle();
    live.advance(60);
    await client.settle();
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });

  test('is closed thirty seconds after the ping with a code that lets it reconnect', async () => {
    const client = live.open({ autoPong: false });
    await client.subscribe('news');
    live.advance(120);
    live.advance(29);
    expect(live.hub.size).toBe(1);
    live.advance(1);
    expect(live.hub.size).toBe(0);
    expect(await client.closed).toBe(4201);
  });

  test('is destroyed when it does not complete the closing handshake', async () => {
    const wire = net.connect(live.port, '127.0.0.1');
    wire.on('error', () => undefined);
    wire.write(
      `GET ${APP_PATH} HTTP/1.1\r\nHost: live\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    await once(wire, 'data');
    await expect.poll(() => live.hub.size).toBe(1);
    const gone = once(wire, 'close');
    live.advance(120);
    live.advance(30);
    expect(live.hub.size).toBe(0);
    await gone;
  });

  test('stays open with any frame as a sign of life', async () => {
    const client = live.open({ autoPong: false });
    await client.subscribe('news');
    for (let n = 0; n < 5; n += 1) {
      live.advance(100);
      client.send('pusher:unsubscribe', { channel: 'elsewhere' });
      await client.settle();
    }
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });
});

describe('frames', () => {
  test('accepts and forwards a frame of 100,000 bytes', async () => {
    const [one, two] = [live.open(), live.open()];
    for (const client of [one, two]) await client.subscribe('private-talk');
    const overheadBytes = JSON.stringify({ event: 'client-long', channel: 'private-talk', data: '' }).length;
    const data = 'a'.repeat(100_000 - overheadBytes);
    one.socket.send(JSON.stringify({ event: 'client-long', channel: 'private-talk', data }));
    expect((await two.frame('client-long')).data).toHaveLength(data.length);
  });

  test.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])('delivers %d bytes of data whole', async (length) => {
    const client = live.open();
    await client.subscribe('news');
    const data = 'é'.repeat(length / 2) + 'a'.repeat(length % 2);
    live.hub.publish({ channels: ['news'], event: 'Said', data });
    expect(await client.frame('Said')).toEqual({ event: 'Said', channel: 'news', data });
  });

  test('delivers the frames of one socket in order, however they were sent', async () => {
    const client = live.open();
    await client.subscribe('news');
    for (let n = 0; n < 50; n += 1) {
      live.hub.publish({ channels: ['news'], event: `said-${n}`, data: 'x'.repeat(n * 100) });
      client.send('pusher:ping', {});
      await client.frame(`said-${n}`);
    }
    await client.settle();
    const received = client.frames.map(({ event }) => event).filter((event) => event.startsWith('said-'));
    expect(received).toEqual(Array.from({ length: 50 }, (_, n) => `said-${n}`));
  });
});

describe('socket that does not read', () => {
  test('is dropped with a backlog of a megabyte without delaying others', async () => {
    const clients = await openMany(6);
    for (const client of clients) await client.subscribe('rush');
    const [slow, ...quick] = clients as [LiveClient, ...LiveClient[]];
    slow.socket.pause();
    const data = 'x'.repeat(4000);
    for (let n = 0; n < 5000; n += 1) {
      live.hub.publish({ channels: ['rush'], event: 'Said', data });
      if (n % 50 === 0) await Promise.all(quick.map((client) => client.settle()));
    }
    await Promise.all(quick.map((client) => client.settle()));
    expect(quick.map((client) => client.count('Said'))).toEqual(quick.map(() => 5000));
    expect(live.hub.size).toBe(5);
    expect(live.hub.channel('rush')?.subscriptions).toBe(5);
    slow.socket.resume();
    // The connection ends without a close code: the device reconnects and pulls what it missed.
    expect(await slow.closed).toBe(1006);
    expect(slow.count('Said')).toBeLessThan(5000);
  });

  test('does not delay others when it floods the server', async () => {
    const [noisy, other] = await openMany(2);
    await other!.subscribe('news');
    for (let n = 0; n < 2000; n += 1) noisy!.send('nonsense', {});
    live.hub.publish({ channels: ['news'], event: 'Said', data: '{}' });
    await other!.frame('Said');
  });
});

describe('socket that sends too many frames', () => {
  test('is closed with a code that lets it reconnect later', async () => {
    const [noisy, other] = await openMany(2);
    await other!.subscribe('news');
    for (let n = 0; n < 301; n += 1) noisy!.send('nonsense', {});
    expect(await noisy!.closed).toBe(4100);
    await other!.settle();
    expect(live.hub.size).toBe(1);
  });

  test('is closed when it sends empty fragments of one message', async () => {
    const [noisy, other] = await openMany(2);
    for (let n = 0; n < 101; n += 1) noisy!.socket.send('', { fin: false });
    expect(await noisy!.closed).toBe(1008);
    await other!.settle();
    expect(live.hub.size).toBe(1);
  });

  test('stays open at a steady fifty frames per second', async () => {
    const client = live.open();
    await client.subscribe('news');
    for (let second = 0; second < 10; second += 1) {
      for (let n = 0; n < 49; n += 1) client.send('pusher:unsubscribe', { channel: 'elsewhere' });
      await client.settle();
      live.advance(1);
    }
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });
});

describe('socket without a subscription', () => {
  test('is closed after thirty seconds unless it signed in', async () => {
    const [idle, used, subscribed] = await openMany(3);
    await used!.signIn('7');
    await subscribed!.subscribe('news');
    live.advance(29);
    expect(live.hub.size).toBe(3);
    live.advance(1);
    expect(await idle!.closed).toBe(4100);
    expect(live.hub.size).toBe(2);
  });
});

if (isFull) {
  describe('sockets of one IP address', () => {
    test('are limited to two thousand', async () => {
      await openMany(2000);
      const late = live.open();
      expect(await late.receive('pusher:error')).toMatchObject({ code: 4100 });
      expect(await late.closed).toBe(4100);
      expect(live.hub.size).toBe(2000);
    });
  });
}

describe('sockets of one IPv6 network', () => {
  test('count as sockets of one address', async () => {
    let host = 0;
    await live.close();
    // Each socket comes from a different address of the same /64.
    live = await openStandaloneEndpoint({ addressOf: () => `2001:db8:0:1::${(host += 1).toString(16)}` });
    await openMany(2000);
    expect(await live.open().closed).toBe(4100);
  });
});

describe('closing socket', () => {
  test('leaves its channels as soon as it sends the close frame', async () => {
    const member = (id: string) => JSON.stringify({ user_id: id });
    const [stays, goes] = (await openMany(2)) as [LiveClient, LiveClient];
    await stays.subscribe('presence-set', member('a'));
    await goes.subscribe('presence-set', member('b'));
    expect(live.hub.members('presence-set')).toEqual(['a', 'b']);
    goes.socket.close(1000);
    expect(await stays.receive('pusher_internal:member_removed')).toEqual({ user_id: 'b' });
    expect(live.hub.channels('presence-')).toEqual([{ name: 'presence-set', subscriptions: 1, users: 1 }]);
  });

  test('harms no other socket when it is cut within a frame', async () => {
    const [stays, breaks] = (await openMany(2)) as [LiveClient, LiveClient];
    await breaks.subscribe('news');
    breaks.socket.send('x'.repeat(90_000));
    breaks.end();
    await expect.poll(() => live.hub.size).toBe(1);
    await stays.settle();
  });
});

describe('stopping server', () => {
  test('closes its sockets one after another with a code that lets them reconnect', async () => {
    await live.close();
    live = await openStandaloneEndpoint({ spreadMs: 1000 });
    const clients = await openMany(20);
    const codes = clients.map((client) => client.closed);
    const closing = live.endpoint.close();
    // A socket that connects now is told to reconnect elsewhere.
    const late = live.open();
    expect(await Promise.race(codes)).toBe(1001);
    expect(live.hub.size).toBeGreaterThan(0);
    expect(await Promise.all(codes)).toEqual(clients.map(() => 1001));
    expect(await late.closed).toBe(1001);
    await closing;
  });
});

describe('endpoint that serves other nodes', () => {
  beforeEach(async () => {
    await live.close();
    live = await openStandaloneEndpoint({ privateChannelsFor: 'signedIn' });
  });

  test('lets a socket join private channels after it signed in, in either order', async () => {
    const client = live.open();
    await client.id();
    const subscribed = client.subscribe('private-chat.1');
    await client.settle();
    expect(client.count('pusher_internal:subscription_succeeded')).toBe(0);
    await client.signIn('7');
    await subscribed;
    await client.subscribe('private-chat.2');
  });

  test('closes every socket of a signed-out person and rejects sign-ins from before', async () => {
    const [one, early] = await openMany(2);
    await one!.signIn('7');
    await one!.subscribe('private-chat.1');
    live.advance(1);
    live.hub.endUser('7');
    expect(await one!.closed).toBe(4009);
    const userData = JSON.stringify({ id: '7' });
    early!.send('pusher:signin', {
      auth: userSignature(CREDENTIALS, await early!.id(), userData),
      user_data: userData,
    });
    expect(await early!.closed).toBe(4009);
    live.advance(1);
    const later = live.open();
    await later.signIn('7');
  });

  test('does not let a socket sign in as a second person', async () => {
    const client = live.open();
    await client.signIn('7');
    const userData = JSON.stringify({ id: '8' });
    client.send('pusher:signin', {
      auth: userSignature(CREDENTIALS, await client.id(), userData),
      user_data: userData,
    });
    expect(await client.closed).toBe(4009);
  });
});
