import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLoneEndpoint, type LoneEndpoint } from './support/live-endpoint.ts';
import { userSignature } from '#server/platform/live/channels.ts';
import { APP_PATH, CREDENTIALS, type Line } from './support/live-line.ts';

let live: LoneEndpoint;
beforeEach(async () => {
  live = await openLoneEndpoint();
});
afterEach(() => live.close());

/** Opens sockets and waits until all are connected. */
async function openConnected(count: number): Promise<Line[]> {
  const lines = Array.from({ length: count }, () => live.open());
  await Promise.all(lines.map((line) => line.id()));
  return lines;
}

describe('silent socket', () => {
  test('is pinged after two minutes and stays open when it answers', async () => {
    const line = live.open();
    await line.subscribe('news');
    const asked = once(line.socket, 'ping');
    live.pass(119);
    await line.settle();
    live.pass(119);
    live.pass(1);
    await asked;
    // The library answered the ping. This frame arrives after that answer.
    await line.settle();
    live.pass(60);
    await line.settle();
    expect(line.socket.readyState).toBe(line.socket.OPEN);
  });

  test('is closed thirty seconds after the ping with a code that lets it reconnect', async () => {
    const line = live.open({ autoPong: false });
    await line.subscribe('news');
    live.pass(120);
    live.pass(29);
    expect(live.hub.size).toBe(1);
    live.pass(1);
    expect(live.hub.size).toBe(0);
    expect(await line.closed).toBe(4201);
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
    live.pass(120);
    live.pass(30);
    expect(live.hub.size).toBe(0);
    await gone;
  });

  test('stays open with any frame as a sign of life', async () => {
    const line = live.open({ autoPong: false });
    await line.subscribe('news');
    for (let n = 0; n < 5; n += 1) {
      live.pass(100);
      line.send('pusher:unsubscribe', { channel: 'elsewhere' });
      await line.settle();
    }
    expect(line.socket.readyState).toBe(line.socket.OPEN);
  });
});

describe('frames', () => {
  test('accepts and forwards a frame of 100,000 bytes', async () => {
    const [one, two] = [live.open(), live.open()];
    for (const line of [one, two]) await line.subscribe('private-talk');
    const overheadBytes = JSON.stringify({ event: 'client-long', channel: 'private-talk', data: '' }).length;
    const data = 'a'.repeat(100_000 - overheadBytes);
    one.socket.send(JSON.stringify({ event: 'client-long', channel: 'private-talk', data }));
    expect((await two.frame('client-long')).data).toHaveLength(data.length);
  });

  test.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])('delivers %d bytes of data whole', async (length) => {
    const line = live.open();
    await line.subscribe('news');
    const data = 'é'.repeat(length / 2) + 'a'.repeat(length % 2);
    live.hub.publish({ channels: ['news'], event: 'Said', data });
    expect(await line.frame('Said')).toEqual({ event: 'Said', channel: 'news', data });
  });

  test('delivers the frames of one socket in order, however they were sent', async () => {
    const line = live.open();
    await line.subscribe('news');
    for (let n = 0; n < 50; n += 1) {
      live.hub.publish({ channels: ['news'], event: `said-${n}`, data: 'x'.repeat(n * 100) });
      line.send('pusher:ping', {});
      await line.frame(`said-${n}`);
    }
    await line.settle();
    const received = line.frames.map(({ event }) => event).filter((event) => event.startsWith('said-'));
    expect(received).toEqual(Array.from({ length: 50 }, (_, n) => `said-${n}`));
  });
});

describe('socket that does not read', () => {
  test('is dropped with a backlog of a megabyte without delaying others', async () => {
    const lines = await openConnected(6);
    for (const line of lines) await line.subscribe('rush');
    const [slow, ...quick] = lines as [Line, ...Line[]];
    slow.socket.pause();
    const data = 'x'.repeat(4000);
    for (let n = 0; n < 5000; n += 1) {
      live.hub.publish({ channels: ['rush'], event: 'Said', data });
      if (n % 50 === 0) await Promise.all(quick.map((line) => line.settle()));
    }
    await Promise.all(quick.map((line) => line.settle()));
    expect(quick.map((line) => line.count('Said'))).toEqual(quick.map(() => 5000));
    expect(live.hub.size).toBe(5);
    expect(live.hub.channel('rush')?.subscriptions).toBe(5);
    slow.socket.resume();
    // The connection ends without a close code: the device reconnects and pulls what it missed.
    expect(await slow.closed).toBe(1006);
    expect(slow.count('Said')).toBeLessThan(5000);
  });

  test('does not delay others when it floods the server', async () => {
    const [noisy, other] = await openConnected(2);
    await other!.subscribe('news');
    for (let n = 0; n < 2000; n += 1) noisy!.send('nonsense', {});
    live.hub.publish({ channels: ['news'], event: 'Said', data: '{}' });
    await other!.frame('Said');
  });
});

describe('socket that sends too many frames', () => {
  test('is closed with a code that lets it reconnect later', async () => {
    const [noisy, other] = await openConnected(2);
    await other!.subscribe('news');
    for (let n = 0; n < 301; n += 1) noisy!.send('nonsense', {});
    expect(await noisy!.closed).toBe(4100);
    await other!.settle();
    expect(live.hub.size).toBe(1);
  });

  test('is closed when it sends empty fragments of one message', async () => {
    const [noisy, other] = await openConnected(2);
    for (let n = 0; n < 101; n += 1) noisy!.socket.send('', { fin: false });
    expect(await noisy!.closed).toBe(1008);
    await other!.settle();
    expect(live.hub.size).toBe(1);
  });

  test('stays open at a steady fifty frames per second', async () => {
    const line = live.open();
    await line.subscribe('news');
    for (let second = 0; second < 10; second += 1) {
      for (let n = 0; n < 49; n += 1) line.send('pusher:unsubscribe', { channel: 'elsewhere' });
      await line.settle();
      live.pass(1);
    }
    expect(line.socket.readyState).toBe(line.socket.OPEN);
  });
});

describe('socket without a subscription', () => {
  test('is closed after thirty seconds unless it signed in', async () => {
    const [idle, used, subscribed] = await openConnected(3);
    await used!.signIn('7');
    await subscribed!.subscribe('news');
    live.pass(29);
    expect(live.hub.size).toBe(3);
    live.pass(1);
    expect(await idle!.closed).toBe(4100);
    expect(live.hub.size).toBe(2);
  });
});

describe('sockets of one IP address', () => {
  test('are limited to two thousand', async () => {
    await openConnected(1000);
    expect(live.hub.size).toBe(1000);
    await openConnected(1000);
    const late = live.open();
    expect(await late.receive('pusher:error')).toMatchObject({ code: 4100 });
    expect(await late.closed).toBe(4100);
    expect(live.hub.size).toBe(2000);
  });
});

describe('sockets of one IPv6 network', () => {
  test('count as sockets of one address', async () => {
    let host = 0;
    await live.close();
    // Each socket comes from a different address of the same /64.
    live = await openLoneEndpoint({ addressOf: () => `2001:db8:0:1::${(host += 1).toString(16)}` });
    await openConnected(1000);
    await openConnected(1000);
    expect(await live.open().closed).toBe(4100);
  });
});

describe('closing socket', () => {
  test('leaves its channels as soon as it sends the close frame', async () => {
    const member = (id: string) => JSON.stringify({ user_id: id });
    const [stays, goes] = (await openConnected(2)) as [Line, Line];
    await stays.subscribe('presence-set', member('a'));
    await goes.subscribe('presence-set', member('b'));
    expect(live.hub.members('presence-set')).toEqual(['a', 'b']);
    goes.socket.close(1000);
    expect(await stays.receive('pusher_internal:member_removed')).toEqual({ user_id: 'b' });
    expect(live.hub.channels('presence-')).toEqual([{ name: 'presence-set', subscriptions: 1, users: 1 }]);
  });

  test('harms no other socket when it is cut within a frame', async () => {
    const [stays, breaks] = (await openConnected(2)) as [Line, Line];
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
    live = await openLoneEndpoint({ spreadMs: 1000 });
    const lines = await openConnected(20);
    const codes = lines.map((line) => line.closed);
    const closing = live.endpoint.close();
    // A socket that connects now is told to reconnect elsewhere.
    const late = live.open();
    expect(await Promise.race(codes)).toBe(1001);
    expect(live.hub.size).toBeGreaterThan(0);
    expect(await Promise.all(codes)).toEqual(lines.map(() => 1001));
    expect(await late.closed).toBe(1001);
    await closing;
  });
});

describe('endpoint that serves other nodes', () => {
  beforeEach(async () => {
    await live.close();
    live = await openLoneEndpoint({ privateChannelsFor: 'signedIn' });
  });

  test('lets a socket join private channels after it signed in, in either order', async () => {
    const line = live.open();
    await line.id();
    const subscribed = line.subscribe('private-chat.1');
    await line.settle();
    expect(line.count('pusher_internal:subscription_succeeded')).toBe(0);
    await line.signIn('7');
    await subscribed;
    await line.subscribe('private-chat.2');
  });

  test('closes every socket of a signed-out person and rejects sign-ins from before', async () => {
    const [one, early] = await openConnected(2);
    await one!.signIn('7');
    await one!.subscribe('private-chat.1');
    live.pass(1);
    live.hub.endUser('7');
    expect(await one!.closed).toBe(4009);
    const userData = JSON.stringify({ id: '7' });
    early!.send('pusher:signin', {
      auth: userSignature(CREDENTIALS, await early!.id(), userData),
      user_data: userData,
    });
    expect(await early!.closed).toBe(4009);
    live.pass(1);
    const later = live.open();
    await later.signIn('7');
  });

  test('does not let a socket sign in as a second person', async () => {
    const line = live.open();
    await line.signIn('7');
    const userData = JSON.stringify({ id: '8' });
    line.send('pusher:signin', { auth: userSignature(CREDENTIALS, await line.id(), userData), user_data: userData });
    expect(await line.closed).toBe(4009);
  });
});
