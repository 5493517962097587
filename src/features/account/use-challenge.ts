import { useEffect, useEffectEvent, useRef } from 'react';
import type { AppError } from '#net/app-error.ts';
import { fetchSolution } from './registration-challenge.ts';

type Outcome = { ok: true } | { ok: false; error: AppError };
type Solution = string | undefined;

/**
 * Solves the server's challenge while a person fills in a form. Each solution is good for one try.
 * @param isTouched whether the person has begun
 * @returns a function that sends the form with a solution, and once more with a new one if the server did not accept the first
 */
export function useChallenge(isTouched: boolean) {
  const next = useRef<Promise<Solution> | null>(null);
  const prepare = useEffectEvent(() => {
    next.current ??= fetchSolution();
  });
  useEffect(() => {
    if (isTouched) prepare();
  }, [isTouched]);

  const takeSolution = async (): Promise<Solution> => {
    const prepared = next.current;
    next.current = null;
    // What was prepared while the device was offline has no solution.
    return (await prepared) ?? (await fetchSolution());
  };
  return async (send: (challenge: Solution) => Promise<Outcome>): Promise<Outcome> => {
    let outcome = await send(await takeSolution());
    const isRefused = !outcome.ok && outcome.error.errors?.['challenge'] !== undefined;
    if (isRefused) outcome = await send(await takeSolution());
    // The person corrects something meanwhile.
    if (!outcome.ok) next.current = fetchSolution();
    return outcome;
  };
}
