import type { Challenge, SolvedChallenge } from '#contract/records/registration.ts';
import { REGISTRATION_CALLS } from '#contract/registration-calls.ts';
import { call } from '#net/client.ts';

/** @returns null if this browser cannot solve it */
async function solveInWorker(challenge: Challenge): Promise<SolvedChallenge | null> {
  const worker = new Worker(new URL('./challenge-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<SolvedChallenge | null>((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<SolvedChallenge | null>) => resolve(data));
    worker.addEventListener('error', () => resolve(null));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

/** Fetches a challenge and solves it. @returns what a registration sends; undefined where the server asks for nothing or does not answer */
export async function fetchSolution(): Promise<string | undefined> {
  const answer = await call<{ challenge: Challenge | null }>(REGISTRATION_CALLS.challenge);
  if (!answer.ok || answer.data.challenge === null) return undefined;
  const solved = await solveInWorker(answer.data.challenge);
  return solved === null ? undefined : JSON.stringify(solved);
}
