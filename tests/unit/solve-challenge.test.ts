import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { expect, test } from 'vitest';
import type { Challenge } from '#contract/records/registration.ts';
import { solveChallenge } from '#features/account/solve-challenge.ts';

test('solves a challenge as the server verifies it', async () => {
  const hmacSignatureSecret = 'secret';
  const algorithm = 'PBKDF2/SHA-256';
  const made = await createChallenge({
    algorithm,
    cost: 10,
    counter: 300,
    data: { until: 1 },
    deriveKey,
    hmacSignatureSecret,
  });
  const { challenge, solution } = await solveChallenge(made as Challenge);
  expect(solution.counter).toBe(300);
  expect(await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })).toMatchObject({
    verified: true,
  });
});
