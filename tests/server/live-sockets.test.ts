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

/** Sockets that are all connected. */
async function crowd(count: number): Promise<Line[]> {
  const lines = Array.from({ length: count }, () => live.open());
  await Promise.all(lines.map((line) => line.id()));
  return lines;
}

describe('a socket that is silent', () => {
  test('is asked after two minutes, and stays for its answer', async () => {
    const line = live.open();
    await line.subscribe('news');
    const asked = once(line.socket, 'ping');
    live.pass(119);
    await line.settle();
    live.pass(119);
    live.pass(1);
    await asked;
    // The library answered; this frame comes behind that answer.
    await line.settle();
    live.pass(60);
    await line.settle();
    expect(line.socket.readyState).toBe(line.socket.OPEN);
  });

  test('is let go of thirty seconds later, with the code that brings it back at once', async () => {
    const line = live.open({ autoPong: false });
    await line.subscribe('news');
    live.pass(120);
    live.pass(29);
    expect(live.hub.size).toBe(1);
    live.pass(1);
    expect(live.hub.size).toBe(0);
    expect(await line.closed).toBe(4201);
  });

  test('is cut where it does not even close', async () => {
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

  test('counts any frame as a sign of life', async () => {
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
  test('of a hundred thousand bytes are taken and passed on', async () => {
    const [one, two] = [live.open(), live.open()];
    for (const line of [one, two]) await line.subscribe('private-talk');
    const bare = JSON.stringify({ event: 'client-long', channel: 'private-talk', data: '' }).length;
    const data = 'a'.repeat(100_000 - bare);
    one.socket.send(JSON.stringify({ event: 'client-long', channel: 'private-talk', data }));
    expect((await two.frame('client-long')).data).toHaveLength(data.length);
  });

  test.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])('with %d bytes of data arrive whole', async (length) => {
    const line = live.open();
    await line.subscribe('news');
    const data = 'é'.repeat(length / 2) + 'a'.repeat(length % 2);
    live.hub.publish({ channels: ['news'], event: 'Said', data });
    expect(await line.frame('Said')).toEqual({ event: 'Said', channel: 'news', data });
  });

  test('of one socket arrive in their order, whichever way they were sent', async () => {
    const line = live.open();
    await line.subscribe('news');
    for (let n = 0; n < 50; n += 1) {
      live.hub.publish({ channels: ['news'], event: `said-${n}`, data: 'x'.repeat(n * 100) });
      line.send('pusher:ping', {});
      await line.frame(`said-${n}`);
    }
    await line.settle();
    const said = line.frames.map(({ event }) => event).filter((event) => event.startsWith('said-'));
    expect(said).toEqual(Array.from({ length: 50 }, (_, n) => `said-${n}`));
  });
});

describe('a socket that does not read', () => {
  test('is dropped with a backlog of a megabyte, and costs the others nothing', async () => {
    const lines = await crowd(6);
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
    // No code of refusal: it comes back, and pulls what it lacks.
    expect(await slow.closed).toBe(1006);
    expect(slow.count('Said')).toBeLessThan(5000);
  });

  test('does not keep what is for others waiting when it floods', async () => {
    const [noisy, other] = await crowd(2);
    await other!.subscribe('news');
    for (let n = 0; n < 2000; n += 1) noisy!.send('nonsense', {});
    live.hub.publish({ channels: ['news'], event: 'Said', data: '{}' });
    await other!.frame('Said');
  });
});

describe('a socket that sends too many frames', () => {
  test('is closed with the code that brings it back later, and harms nobody else', async () => {
    const [noisy, other] = await crowd(2);
    await other!.subscribe('news');
    for (let n = 0; n < 301; n += 1) noisy!.send('nonsense', {});
    expect(await noisy!.closed).toBe(4100);
    await other!.settle();
    expect(live.hub.size).toBe(1);
  });

  test('is closed where its frames are empty pieces of one message', async () => {
    const [noisy, other] = await crowd(2);
    for (let n = 0; n < 101; n += 1) noisy!.socket.send('', { fin: false });
    expect(await noisy!.closed).toBe(1008);
    await other!.settle();
    expect(live.hub.size).toBe(1);
  });

  test('is counted by the second: a steady fifty stay', async () => {
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

describe('a socket that subscribes to nothing', () => {
  test('is closed after thirty seconds, and one that signed in is not', async () => {
    const [idle, used, heard] = await crowd(3);
    await used!.signIn('7');
    await heard!.subscribe('news');
    live.pass(29);
    expect(live.hub.size).toBe(3);
    live.pass(1);
    expect(await idle!.closed).toBe(4100);
    expect(live.hub.size).toBe(2);
  });
});

describe('sockets of one address', () => {
  test('may be a thousand, and many more are told to come later', async () => {
    await crowd(1000);
    expect(live.hub.size).toBe(1000);
    await crowd(1000);
    const late = live.open();
    expect(await late.told('pusher:error')).toMatchObject({ code: 4100 });
    expect(await late.closed).toBe(4100);
    expect(live.hub.size).toBe(2000);
  });
});

describe('sockets of one IPv6 network', () => {
  test('count as those of one address', async () => {
    let host = 0;
    await live.close();
    // Each from another address of the same /64.
    live = await openLoneEndpoint({ addressOf: () => `2001:db8:0:1::${(host += 1).toString(16)}` });
    await crowd(1000);
    await crowd(1000);
    expect(await live.open().closed).toBe(4100);
  });
});

describe('a socket that goes', () => {
  test('is counted no more from the moment it says so, and is missed by those it sat with', async () => {
    const member = (id: string) => JSON.stringify({ user_id: id });
    const [stays, goes] = (await crowd(2)) as [Line, Line];
    await stays.subscribe('presence-set', member('a'));
    await goes.subscribe('presence-set', member('b'));
    expect(live.hub.members('presence-set')).toEqual(['a', 'b']);
    goes.socket.close(1000);
    expect(await stays.told('pusher_internal:member_removed')).toEqual({ user_id: 'b' });
    expect(live.hub.channels('presence-')).toEqual([{ name: 'presence-set', subscriptions: 1, users: 1 }]);
  });

  test('breaks nothing when its line is cut amid a frame', async () => {
    const [stays, breaks] = (await crowd(2)) as [Line, Line];
    await breaks.subscribe('news');
    breaks.socket.send('x'.repeat(90_000));
    breaks.end();
    await expect.poll(() => live.hub.size).toBe(1);
    await stays.settle();
  });
});

describe('a server that stops', () => {
  test('lets go of its sockets one after the other, with a code that brings them back', async () => {
    await live.close();
    live = await openLoneEndpoint({ spreadMs: 1000 });
    const lines = await crowd(20);
    const codes = lines.map((line) => line.closed);
    const closing = live.endpoint.close();
    // Who comes now is sent on.
    const late = live.open();
    expect(await Promise.race(codes)).toBe(1001);
    expect(live.hub.size).toBeGreaterThan(0);
    expect(await Promise.all(codes)).toEqual(lines.map(() => 1001));
    expect(await late.closed).toBe(1001);
    await closing;
  });
});

describe('an endpoint that serves other nodes', () => {
  beforeEach(async () => {
    await live.close();
    live = await openLoneEndpoint({ privateChannelsFor: 'signedIn' });
  });

  test('lets a socket into private channels once it signed in, whichever came first', async () => {
    const line = live.open();
    await line.id();
    const subscribed = line.subscribe('private-chat.1');
    await line.settle();
    expect(line.count('pusher_internal:subscription_succeeded')).toBe(0);
    await line.signIn('7');
    await subscribed;
    await line.subscribe('private-chat.2');
  });

  test('closes every socket of a person who was signed out, and takes no sign-in from before', async () => {
    const [one, early] = await crowd(2);
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
