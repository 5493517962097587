import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import Sdk from 'pusher';
import { connect, makePerson, makeProfile, type Person } from './support/people.ts';
import { type AppServer, appServer } from './support/server.ts';
import { expect, test } from './support/test.ts';

// Tests the protocol in a browser with the client libraries' own builds, without the app.
const CREDENTIALS = { key: 'browser-key', secret: 'browser-secret' };
const SCRIPTS = {
  Pusher: 'node_modules/pusher-js/dist/web/pusher.js',
  Echo: 'node_modules/laravel-echo/dist/echo.iife.js',
};

interface ReceivedEvent {
  at: string;
  event: string;
  data: unknown;
}
/** The page's variables that the test reads. */
interface TestWindow {
  received: ReceivedEvent[];
  states: string[];
  device: { socketId: () => string };
}

let server: AppServer;
test.beforeAll(async () => {
  server = await appServer({
    PUSHER_KEY: CREDENTIALS.key,
    PUSHER_SECRET: CREDENTIALS.secret,
    PUSHER_EMBEDDED_API: '1',
  });
  await server.start();
});
test.afterAll(() => server.dispose());

const sdk = () =>
  new Sdk({ appId: 'callboard', ...CREDENTIALS, host: '127.0.0.1', port: String(server.port), useTLS: false });

/** Opens a page of the server that does not belong to the app, and loads both client libraries into it. */
async function openPage(page: Page): Promise<void> {
  for (const [name, script] of Object.entries(SCRIPTS)) {
    // An init script has its own scope, so the library is assigned to the window.
    const content = `${await readFile(script, 'utf8')}\n;window.${name} ??= ${name};`;
    await page.addInitScript({ content });
  }
  // Stands in for another app's server, since this app has no presence channels.
  await page.route('**/presence-auth', async (route) => {
    const form = new URLSearchParams(route.request().postData() ?? '');
    const [socketId, channel] = [form.get('socket_id') ?? '', form.get('channel_name') ?? ''];
    const user = new URL(page.url()).searchParams.get('as') ?? '';
    await route.fulfill({
      json: sdk().authorizeChannel(socketId, channel, { user_id: user, user_info: { name: user } }),
    });
  });
  await page.goto(`${server.url}/healthz?as=${page.viewportSize()?.width}`);
}

/** Connects as the app does, and records every event it receives. */
async function listenOn(page: Page, { token, id }: Person, conversationId: string): Promise<void> {
  await page.evaluate(
    ({ token, id, key, port, conversationId }) => {
      const { Echo, Pusher } = window as unknown as {
        Echo: {
          default: new (options: object) => {
            socketId: () => string;
            connector: {
              pusher: { connection: { bind: (name: string, callback: (state: { current: string }) => void) => void } };
            };
            private: (channel: string) => {
              listen: (event: string, callback: (data: unknown) => void) => unknown;
              subscribed: (callback: () => void) => unknown;
            };
          };
        };
        Pusher: unknown;
      };
      const testWindow: { received: object[]; states: string[]; device: object | null } = {
        received: [],
        states: [],
        device: null,
      };
      const device = new Echo.default({
        broadcaster: 'pusher',
        Pusher,
        key,
        cluster: 'ap2',
        wsHost: location.hostname,
        wsPort: port,
        forceTLS: false,
        enabledTransports: ['ws'],
        channelAuthorization: {
          transport: 'ajax',
          endpoint: '/broadcasting/auth',
          headersProvider: () => ({ Authorization: `Bearer ${token}` }),
        },
      });
      testWindow.device = device;
      device.connector.pusher.connection.bind('state_change', ({ current }) => testWindow.states.push(current));
      for (const at of [`chat.${conversationId}`, `App.Models.User.${id}`]) {
        const channel = device.private(at);
        channel.subscribed(() => testWindow.received.push({ at, event: 'subscribed', data: null }));
        channel.listen('MessageSent', (data) => testWindow.received.push({ at, event: 'MessageSent', data }));
      }
      Object.assign(window, testWindow);
    },
    { token, id, key: CREDENTIALS.key, port: server.port, conversationId },
  );
  await expect.poll(() => count(page, 'subscribed')).toBe(2);
}

const getReceived = (page: Page) => page.evaluate(() => (window as unknown as TestWindow).received);
const count = async (page: Page, event: string) =>
  (await getReceived(page)).filter((each) => each.event === event).length;

/** Two people who are connected, and their conversation. */
async function connectPair() {
  const [a, b] = [await makePerson(server.url), await makePerson(server.url)];
  for (const person of [a, b]) await makeProfile(person);
  const { conversation } = await connect(a, b);
  return { a, b, conversationId: conversation };
}

test(
  'delivers private-channel events to all devices but the sender, also after a restart',
  { tag: '@full' },
  async ({ newDevice }) => {
    const { a, b, conversationId } = await connectPair();
    const devices = [];
    for (const person of [a, a, b]) {
      const device = await newDevice({ url: server.url });
      device.allowBrowserError(/WebSocket connection|ERR_CONNECTION/);
      await openPage(device.page);
      await listenOn(device.page, person, conversationId);
      devices.push(device.page);
    }
    const [first, second, other] = devices as [Page, Page, Page];
    const sendMessage = (message: string) =>
      first.evaluate(
        async ({ token, message, conversationId, receiverId }) => {
          const answer = await fetch('/chat/send', {
            method: 'POST',
            headers: {
              Authorization: `Bearer ${token}`,
              'Content-Type': 'application/json',
              'X-Requested-With': 'XMLHttpRequest',
              'X-Socket-ID': (window as unknown as TestWindow).device.socketId(),
            },
            body: JSON.stringify({ conversation_id: conversationId, receiver_id: receiverId, message }),
          });
          return answer.status;
        },
        { token: a.token, message, conversationId, receiverId: b.id },
      );

    expect(await sendMessage('Places, please')).toBe(201);
    // In the conversation's channel and in their own user channel.
    await expect.poll(() => count(other, 'MessageSent')).toBe(2);
    await expect.poll(() => count(second, 'MessageSent')).toBe(2);
    expect((await getReceived(other)).at(-1)?.data).toMatchObject({ message: { message: 'Places, please', seq: 1 } });

    await server.stop();
    await server.start();
    for (const page of devices) await expect.poll(() => count(page, 'subscribed'), { timeout: 20_000 }).toBe(4);
    expect(await first.evaluate(() => (window as unknown as TestWindow).states)).toContain('connected');
    expect(await sendMessage('Thank you, places')).toBe(201);
    await expect.poll(() => count(other, 'MessageSent')).toBe(4);
    await expect.poll(() => count(second, 'MessageSent')).toBe(4);
    expect(await count(first, 'MessageSent')).toBe(0);
  },
);

test('shows devices joining and leaving in a presence channel', async ({ newDevice }) => {
  const pages = [];
  for (const width of [400, 500]) {
    const { page } = await newDevice({ url: server.url });
    await page.setViewportSize({ width, height: 800 });
    await openPage(page);
    await page.evaluate(
      async ({ key, port }) => {
        const { Pusher } = window as unknown as {
          Pusher: new (
            key: string,
            options: object,
          ) => {
            subscribe: (name: string) => { bind: (name: string, callback: (data: unknown) => void) => void };
            disconnect: () => void;
          };
        };
        const received: object[] = [];
        const device = new Pusher(key, {
          cluster: 'ap2',
          wsHost: location.hostname,
          wsPort: port,
          forceTLS: false,
          enabledTransports: ['ws'],
          channelAuthorization: { transport: 'ajax', endpoint: '/presence-auth' },
        });
        const channel = device.subscribe('presence-set');
        for (const event of ['pusher:member_added', 'pusher:member_removed', 'cue']) {
          channel.bind(event, (data) => received.push({ event, data }));
        }
        Object.assign(window, { received, device });
        await new Promise((resolve) => channel.bind('pusher:subscription_succeeded', resolve));
      },
      { key: CREDENTIALS.key, port: server.port },
    );
    pages.push(page);
  }
  const [first, second] = pages as [Page, Page];
  const added = { event: 'pusher:member_added', data: { id: '500', info: { name: '500' } } };
  await expect.poll(() => getReceived(first)).toEqual([added]);
  await sdk().trigger('presence-set', 'cue', { n: 1 });
  await expect.poll(() => getReceived(second)).toEqual([{ event: 'cue', data: { n: 1 } }]);
  await second.evaluate(() => (window as unknown as { device: { disconnect: () => void } }).device.disconnect());
  await expect
    .poll(async () => (await getReceived(first)).map(({ event }) => event))
    .toEqual(['pusher:member_added', 'cue', 'pusher:member_removed']);
});
