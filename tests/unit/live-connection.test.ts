import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openLive } from '#realtime/live.ts';

const { listeners } = vi.hoisted(() => ({ listeners: new Map<string, (event: unknown) => void>() }));

vi.mock('pusher-js', () => ({
  default: class {
    signin = () => undefined;
    connection = { bind: () => undefined };
    subscribe(name: string) {
      return {
        bind: (event: string, listener: (event: unknown) => void) => {
          listeners.set(`${name} ${event}`, listener);
        },
      };
    }
  },
}));

const received: unknown[] = [];
const send = (channel: string, event: unknown) => listeners.get(`private-${channel} App\\Events\\MessageSent`)?.(event);

beforeEach(() => {
  received.length = 0;
  listeners.clear();
  const live = openLive({
    pusher: { key: 'key', cluster: 'ap2', host: 'live.example.org', port: null, tls: true },
    apiBase: 'https://api.example.org',
    userId: '7',
    token: () => 'token',
    handlers: {
      onMessage: (message) => received.push(message),
      onReceipt: () => undefined,
      onChange: () => undefined,
      onConnected: () => undefined,
    },
  });
  live.join('40');
});

describe('a live message', () => {
  test('arrives once, whichever channel delivers it', () => {
    const message = { id: '1', conversation_id: '40', message: 'Hello' };
    send('chat.40', { message });
    send('App.Models.User.7', { message });
    expect(received).toEqual([message]);
  });

  test('without an id arrives each time, with its conversation', () => {
    send('chat.40', { message: 'Hello' });
    send('chat.40', { message: 'Are you there?' });
    send('chat.40', {});
    send('chat.40', { message: { id: 5, message: 'Hello' } });
    const here = { conversation_id: '40' };
    expect(received).toEqual([here, here, here, { ...here, id: 5, message: 'Hello' }]);
  });
});
