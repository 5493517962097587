import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queueSignOut, readPendingSignOuts } from '#db/pending-sign-outs.ts';
import { drainOutbox } from '../../../src/sw/outbox.ts';

const left = { token: 'one', apiBase: 'https://callboard.example' };
const server = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();

beforeEach(async () => {
  server.mockReset();
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
  vi.stubGlobal('fetch', server);
  await queueSignOut(left, { name: 'store', userId: '1', keepsUnsent: false }, false);
});
afterEach(() => vi.unstubAllGlobals());

describe('the worker, woken after a sign-out without signal', () => {
  it('ends the session on the server with its own token, though nobody is signed in any more', async () => {
    server.mockResolvedValue(Response.json({ message: 'Signed out' }));
    await drainOutbox();
    const [[url, init] = []] = server.mock.calls;
    expect([url, init?.method]).toEqual(['https://callboard.example/logout', 'POST']);
    expect(new Headers(init?.headers).get('authorization')).toBe('Bearer one');
    expect(server).toHaveBeenCalledOnce();
    expect(await readPendingSignOuts()).toEqual([]);
  });

  it('asks to be woken again while nobody answers', async () => {
    server.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(drainOutbox()).rejects.toThrow('Pending sign-outs remain');
    expect(await readPendingSignOuts()).toEqual([left]);
  });
});
