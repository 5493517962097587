import { useCallback, useEffect, useState } from 'react';
import type { Endpoint } from '#contract/section.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';

/** Something that only the server has; `at` is when it said so, milliseconds since the epoch. */
export type ServerResource<T> =
  { kind: 'loading' } | { kind: 'here'; data: T; at: number } | { kind: 'not here'; why: string };

/** What was so a moment ago says more than that there is no signal now. */
const keepLoaded = <T>(before: ServerResource<T>, found: ServerResource<T>): ServerResource<T> =>
  found.kind === 'not here' && before.kind === 'here' ? before : found;

interface Options {
  /** Said where a server of the bare contract has no such call. */
  missing: string;
  /** Changes when what was said is known to be old. */
  round?: number;
}

/**
 * Needs signal and looks again when it is back.
 * @param endpoint one of CALLS: a new object is something else
 */
export function useServerResource<T>(endpoint: Pick<Endpoint, 'method' | 'path'>, { missing, round = 0 }: Options) {
  const isOnline = useOnline();
  const [shown, setShown] = useState<ServerResource<T>>({ kind: 'loading' });
  const ask = useCallback(async (): Promise<ServerResource<T>> => {
    const answer = await call<T>(endpoint);
    if (answer.ok) return { kind: 'here', data: answer.data, at: Date.now() };
    return { kind: 'not here', why: answer.error.reason === 'missing' ? missing : answer.error.message };
  }, [endpoint, missing]);
  useEffect(() => {
    let isHere = true;
    void ask().then((found) => isHere && setShown((before) => keepLoaded(before, found)));
    return () => {
      isHere = false;
    };
  }, [ask, isOnline, round]);
  const refetch = async () => {
    const found = await ask();
    setShown((before) => keepLoaded(before, found));
  };
  /** Shows what the server is about to have. */
  const setData = (data: T) => setShown({ kind: 'here', data, at: Date.now() });
  return { shown, lookAgain: refetch, showNow: setData };
}
