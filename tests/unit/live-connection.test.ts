import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLive } from '#realtime/live.ts';

const { listeners } = vi.hoisted(() => ({ listeners: new Map<string, (event: unknown) => void>() }));

vi.mock('pusher-js', () => ({
  default: class {
    signin = () => undefined;
    connection = {
      bind: (event: string, listener: (event: unknown) => void) => {
        listeners.set(event, listener);
      },
    };
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
const send = (channel: string, event: unknown, name = 'MessageSent') =>
  listeners.get(`private-${channel} App\\Events\\${name}`)?.(event);

beforeEach(() => {
  received.length = 0;
  listeners.clear();
});

/** Opens the live connection of user 7 with conversation 40 on screen. */
function open(more: { changes_channel?: boolean } = {}): void {
  const live = openLive({
    pusher: { key: 'key', cluster: 'ap2', host: 'live.example.org', port: null, tls: true, ...more },
    apiBase: 'https://api.example.org',
    userId: '7',
    token: () => 'token',
    handlers: {
      onMessage: (...event) => received.push(event.length === 1 ? event[0] : event),
      onReceipt: (receipt) => received.push(receipt),
      onChange: () => received.push('pull'),
      onConnected: () => undefined,
    },
  });
  live.join('40');
}

describe('a live message', () => {
  beforeEach(() => open());

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

describe('a server with a changes channel', () => {
  beforeEach(() => open({ changes_channel: true }));
  const sendChange = (event: object) => send('changes.7', event, 'RecordsChanged');
  const message = { id: '1', conversation_id: '40', seq: 3, message: 'Hello' };

  test('is listened to on that channel only', () => {
    const channels = new Set([...listeners.keys()].filter((key) => key.includes(' ')).map((key) => key.split(' ')[0]));
    expect([...channels]).toEqual(['private-changes.7']);
  });

  test('causes no pull with an event that carries the whole change', () => {
    const notification = { id: '9', type: 'message.received' };
    sendChange({ types: ['message', 'conversation', 'notification'], message, notification, is_whole: true });
    const receipt = { conversation_id: '40', delivered_seq: 3, read_seq: 2 };
    sendChange({ types: ['conversation'], receipt, is_whole: true });
    expect(received).toEqual([[message, notification], { conversationId: '40', delivered: 3, read: 2 }]);
  });

  test('causes a pull with an event that carries part of the change or nothing', () => {
    sendChange({ types: ['message', 'conversation', 'notification'], message, is_whole: false });
    sendChange({ types: ['skill'], is_whole: false });
    sendChange({});
    expect(received).toEqual([[message, undefined], 'pull', 'pull', 'pull']);
  });
});

test('a server without a changes channel causes a pull with every change', () => {
  open();
  for (const event of ['ConnectionChanged', 'NotificationCreated', 'RecordsChanged'])
    send('App.Models.User.7', { types: ['message'] }, event);
  expect(received).toEqual(['pull', 'pull', 'pull']);
});

describe('a broken connection', () => {
  const moveTo = (previous: string, current: string) => listeners.get('state_change')?.({ previous, current });

  beforeEach(() => {
    vi.useFakeTimers();
    open();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('causes a pull, which shows whether there is a server, although nobody does anything', () => {
    moveTo('connected', 'connecting');
    vi.advanceTimersByTime(1000);
    expect(received).toEqual([]);
    moveTo('connecting', 'unavailable');
    vi.advanceTimersByTime(60_000);
    expect(received).toEqual(['pull']);
  });

  test('causes none if it is back soon', () => {
    moveTo('connected', 'connecting');
    moveTo('connecting', 'connected');
    vi.advanceTimersByTime(60_000);
    expect(received).toEqual([]);
  });
});
