import { expect, test, vi } from 'vitest';
import { limitSignIn } from '#server/features/account/sign-in-limits.ts';
import { invalid, tooManyRequests, unavailable } from '#server/platform/http/errors.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer({ env: { RATE_LIMIT_SCALE: '1' } });

test('an unknown address is answered like any other once hashes no longer wait', async () => {
  // Other tests of this process may have tried an unknown address before.
  vi.resetModules();
  const { verifyPassword } = await import('#server/features/account/passwords.ts');
  const { ConcurrencyLimiter } = await import('#server/platform/http/concurrency-limiter.ts');
  vi.spyOn(ConcurrencyLimiter.prototype, 'run').mockRejectedValueOnce(tooManyRequests(2));
  await expect(verifyPassword(null, 'a guess')).rejects.toMatchObject({ status: 429 });
  expect(await verifyPassword(null, 'a guess')).toBe(false);
});

test.each([
  ['is refused because the server is busy', tooManyRequests(2), 'refunded'],
  ['fails because the database is away', unavailable(), 'refunded'],
  ['is refused for its credentials', invalid({ email: ['The e-mail or the password is wrong'] }), 'counted'],
])('an attempt that %s', async (_, error, outcome) => {
  const { count } = LIMIT.failedSignInsOfNetwork;
  const uses = [[LIMIT.failedSignInsOfNetwork, error.message]] as const;
  const attempt = (answer: () => Promise<string>) => limitSignIn(testServer.app.deps, 'password', uses, answer);
  for (let n = 0; n < count; n += 1) await expect(attempt(() => Promise.reject(error))).rejects.toBe(error);
  const next = attempt(() => Promise.resolve('signed in'));
  if (outcome === 'counted') await expect(next).rejects.toMatchObject({ status: 429 });
  else expect(await next).toBe('signed in');
});
