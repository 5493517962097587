import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchTransport } from '#net/fetch-transport.ts';
import { exchange, setPageSource } from '#net/page-exchange.ts';
import type { Sender, WireRequest } from '#net/wire.ts';

const request: WireRequest = { method: 'POST', path: '/skills', headers: { 'idempotency-key': 'k' }, timeoutMs: 1000 };
const toSender = (token: string, userId = '1'): Sender => ({ token, userId, apiBase: '' });

/** Tokens of the requests so far, and the one that the server accepts. */
let sent: string[];
let accepted: string;

beforeEach(() => {
  sent = [];
  accepted = 'new';
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    const token = headers['authorization']!.replace('Bearer ', '');
    sent.push(`${token} ${headers['idempotency-key']}`);
    return token === accepted ? Response.json({ id: 7 }) : Response.json({ message: 'Sign in' }, { status: 401 });
  });
});
afterEach(() => void vi.unstubAllGlobals());

describe('the worker', () => {
  const sendAs = (...tokens: Sender[]) =>
    fetchTransport(async () => (tokens.length > 1 ? tokens.shift()! : tokens[0]!)).send(request, { userId: '1' });

  it('sends a request again under its key when a page has renewed the token meanwhile', async () => {
    expect(await sendAs(toSender('old'), toSender('new'))).toMatchObject({ status: 200 });
    expect(sent).toEqual(['old k', 'new k']);
  });

  it('reports a token that is refused and was not renewed', async () => {
    expect(await sendAs(toSender('old'))).toMatchObject({ status: 401 });
    expect(sent).toEqual(['old k']);
  });

  it('sends nothing for another person who signed in meanwhile', async () => {
    expect(await sendAs(toSender('old'), toSender('new', '2'))).toMatchObject({ status: 401 });
    expect(sent).toEqual(['old k']);
  });
});

describe('a page', () => {
  it('sends a request again when another tab has renewed the token', async () => {
    const sender = toSender('old');
    setPageSource({
      socketId: () => undefined,
      hasNewToken: async (asked, refused) => {
        expect([asked, refused]).toEqual([sender, 'old']);
        asked.token = 'new';
        return true;
      },
    });
    expect(await exchange(request, sender, '')).toMatchObject({ status: 200 });
    expect(sent).toEqual(['old k', 'new k']);
  });

  it('asks once, and reports the refusal when there is no other token', async () => {
    accepted = 'none of these';
    const hasNewToken = vi.fn(async () => true);
    setPageSource({ socketId: () => undefined, hasNewToken });
    expect(await exchange(request, toSender('old'), '')).toMatchObject({ status: 401 });
    hasNewToken.mockResolvedValue(false);
    expect(await exchange(request, toSender('old'), '')).toMatchObject({ status: 401 });
    expect([hasNewToken.mock.calls.length, sent.length]).toEqual([2, 3]);
  });
});
