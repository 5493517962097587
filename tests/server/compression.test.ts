import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chooseEncoding } from '#server/platform/http/encodings.ts';
import { addProfile, addSkill } from './support/people.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, BR;q=0.5', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['*', 'br'],
  ['*;q=0', null],
  ['identity', null],
  ['', null],
  [undefined, null],
])('chooses the encoding for "%s": %s', (accepted, chosen) => {
  expect(chooseEncoding(accepted)).toBe(chosen);
});

test('compresses a long response and revalidates it by either ETag', async () => {
  const person = await testServer.join();
  const { id } = await addProfile(testServer, person);
  for (let n = 0; n < 20; n += 1) await addSkill(testServer, person, id, `Skill ${n}`);
  const ask = (headers: Record<string, string> = {}) =>
    testServer.app.inject({
      url: `/profiles/${id}/skills`,
      headers: { 'x-requested-with': 'XMLHttpRequest', accept: 'application/json', ...headers },
    });
  const plain = await ask();
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(plain.headers.vary).toContain('Accept-Encoding');
  for (const [encoding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const small = await ask({ 'accept-encoding': encoding });
    expect(small.headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(small.rawPayload.length),
      etag: `W/${plain.headers.etag}`,
    });
    expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(String(decompress(small.rawPayload))).toBe(plain.body);
    for (const etag of [plain.headers.etag, small.headers.etag]) {
      const known = await ask({ 'accept-encoding': encoding, 'if-none-match': String(etag) });
      expect([known.statusCode, known.body]).toEqual([304, '']);
    }
  }
});

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('serves a response of several hundred kilobytes whole in %s', async (encoding, decompress) => {
  const plain = await testServer.app.inject({ url: '/openapi.json' });
  expect(plain.body.length).toBeGreaterThan(100_000);
  const small = await testServer.app.inject({ url: '/openapi.json', headers: { 'accept-encoding': encoding } });
  expect(small.headers['content-encoding']).toBe(encoding);
  expect(String(decompress(small.rawPayload))).toBe(plain.body);
});

test('sends a short response uncompressed', async () => {
  const answer = await testServer.app.inject({ url: '/healthz', headers: { 'accept-encoding': 'br' } });
  expect(answer.headers).not.toHaveProperty('content-encoding');
});
