import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openLive } from '#realtime/live.ts';

type Listener = (event: unknown) => void;
const { listeners } = vi.hoisted(() => ({ listeners: new Map<string, (event: unknown) => void>() }));

vi.mock('pusher-js', () => ({ default: class {} }));
vi.mock('laravel-echo', () => ({
  default: class {
    connector = { pusher: { signin: () => undefined, connection: { bind: () => undefined } } };
    private(name: string) {
      const channel = {
        subscribed: () => channel,
        error: () => channel,
        listen: (event: string, listener: Listener) => {
          listeners.set(`${name} ${event}`, listener);
          return channel;
        },
      };
      return channel;
    }
  },
}));

const heard: unknown[] = [];
const tell = (channel: string, event: unknown) => listeners.get(`${channel} MessageSent`)?.(event);

beforeEach(() => {
  heard.length = 0;
  listeners.clear();
  const live = openLive({
    pusher: { key: 'key', cluster: 'ap2', host: 'live.example.org', port: null, tls: true },
    apiBase: 'https://api.example.org',
    userId: '7',
    token: () => 'token',
    handlers: {
      onMessage: (message) => heard.push(message),
      onReceipt: () => undefined,
      onChange: () => undefined,
      onConnected: () => undefined,
    },
  });
  live.join('40');
});

describe('a message that comes live', () => {
  test('is heard once, by whichever channel', () => {
    const message = { id: '1', conversation_id: '40', message: 'Hello' };
    tell('chat.40', { message });
    tell('App.Models.User.7', { message });
    expect(heard).toEqual([message]);
  });

  test('without names says where it was said, each time', () => {
    tell('chat.40', { message: 'Hello' });
    tell('chat.40', { message: 'Are you there?' });
    tell('chat.40', {});
    tell('chat.40', { message: { id: 5, message: 'Hello' } });
    const here = { conversation_id: '40' };
    expect(heard).toEqual([here, here, here, { ...here, id: 5, message: 'Hello' }]);
  });
});
