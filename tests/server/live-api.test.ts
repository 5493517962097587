import Sdk from 'pusher';
import Pusher from 'pusher-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useStage } from './support/stage.ts';

const CREDENTIALS = { key: 'stage-key', secret: 'stage-secret' };
const stage = useStage({
  env: { PUSHER_KEY: CREDENTIALS.key, PUSHER_SECRET: CREDENTIALS.secret, PUSHER_EMBEDDED_API: '1' },
});

let device: Pusher;
let sdk: Sdk;
let port = 0;
beforeAll(async () => {
  // The client signs with the hour of this machine.
  stage.clock.advance(Date.now() - stage.clock.now().getTime());
  await stage.app.listen({ port: 0, host: '127.0.0.1' });
  port = (stage.app.server.address() as { port: number }).port;
  sdk = new Sdk({ appId: 'callboard', ...CREDENTIALS, host: '127.0.0.1', port: String(port), useTLS: false });
  device = new Pusher(CREDENTIALS.key, {
    cluster: 'ap2',
    wsHost: '127.0.0.1',
    wsPort: port,
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: {
      transport: 'ajax',
      endpoint: '',
      customHandler: ({ socketId, channelName }, callback) => {
        const member = { user_id: 'ila', user_info: { name: 'Ila' } };
        callback(
          null,
          sdk.authorizeChannel(socketId, channelName, channelName.startsWith('presence-') ? member : undefined),
        );
      },
    },
  });
});
afterAll(() => device.disconnect());

const listening = (channel: string) =>
  new Promise<void>((resolve, reject) => {
    const subscribed = device.subscribe(channel);
    subscribed.bind('pusher:subscription_succeeded', () => resolve());
    subscribed.bind('pusher:subscription_error', reject);
  });
const next = (channel: string, event: string) => new Promise((resolve) => device.channel(channel).bind(event, resolve));

describe('the client of other servers', () => {
  test('publishes to one channel, to several and in a batch', async () => {
    await Promise.all([listening('news'), listening('private-crew')]);
    const told = [next('news', 'one'), next('private-crew', 'one')];
    expect(await (await sdk.trigger(['news', 'private-crew'], 'one', { n: 1 })).json()).toEqual({});
    expect(await Promise.all(told)).toEqual([{ n: 1 }, { n: 1 }]);
    const batch = [next('news', 'two'), next('private-crew', 'three')];
    await sdk.triggerBatch([
      { channel: 'news', name: 'two', data: { n: 2 } },
      { channel: 'private-crew', name: 'three', data: { n: 3 } },
    ]);
    expect(await Promise.all(batch)).toEqual([{ n: 2 }, { n: 3 }]);
  });

  test('asks who listens', async () => {
    await Promise.all([listening('cast'), listening('presence-set')]);
    const get = async (path: string, params: Record<string, string> = {}) =>
      (await sdk.get({ path, params })).json() as Promise<unknown>;
    expect(await get('/channels/cast', { info: 'subscription_count' })).toEqual({
      occupied: true,
      subscription_count: 1,
    });
    expect(await get('/channels/nobody')).toEqual({ occupied: false });
    expect(await get('/channels', { filter_by_prefix: 'presence-', info: 'user_count' })).toEqual({
      channels: { 'presence-set': { user_count: 1 } },
    });
    expect(await get('/channels/presence-set/users')).toEqual({ users: [{ id: 'ila' }] });
    await expect(get('/channels/cast/users')).rejects.toMatchObject({ status: 400 });
  });

  test.each([
    ['another secret', { secret: 'other' }, 401],
    ['another key', { key: 'other' }, 401],
    ['another app', { appId: 'other' }, 404],
  ])('with %s is refused', async (_, changed, status) => {
    const wrong = new Sdk({
      appId: 'callboard',
      ...CREDENTIALS,
      ...changed,
      host: '127.0.0.1',
      port: String(port),
      useTLS: false,
    });
    await expect(wrong.trigger('news', 'one', {})).rejects.toMatchObject({ status });
  });

  test('is refused a call of long ago', async () => {
    stage.clock.advance(11 * 60_000);
    await expect(sdk.trigger('news', 'one', {})).rejects.toMatchObject({ status: 401 });
    stage.clock.advance(-11 * 60_000);
  });
});
