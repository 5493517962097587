import { useEffect, useState } from 'react';
import type { Endpoint } from '#contract/section.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#session/use-online.ts';
import { confirm } from '#ui/confirm.tsx';
import { toast } from '#ui/Toast.tsx';

/** A list that only the server has. */
export type ServerList<T> =
  { kind: 'loading' } | { kind: 'list'; rows: T[]; at: number } | { kind: 'not here'; why: string };

/** A list from a moment ago says more than that there is no signal now. */
function better<T>(before: ServerList<T>, found: ServerList<T>): ServerList<T> {
  return found.kind === 'not here' && before.kind === 'list' ? before : found;
}

async function fetchList<T>(endpoint: Pick<Endpoint, 'method' | 'path'>): Promise<ServerList<T>> {
  const answer = await call<T[]>(endpoint);
  if (answer.ok) return { kind: 'list', rows: answer.data, at: Date.now() };
  // A server of the bare contract has no such list.
  const why = answer.error.reason === 'missing' ? 'This server does not list them.' : answer.error.message;
  return { kind: 'not here', why };
}

/** How something is taken off such a list. */
export interface TakingOff {
  sure: { title: string; text: string; yes: string };
  call: Pick<Endpoint, 'method' | 'path'>;
  params: Record<string, string>;
  /** Said when it is gone. */
  done: string;
}

/**
 * Needs signal and looks again when it is back.
 * @param endpoint one of CALLS: a new object is a new list
 * @param round changes when the list is known to be old
 * @returns the list, and what takes something off it once the person is sure
 */
export function useServerList<T>(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  round = 0,
): [ServerList<T>, (taking: TakingOff) => Promise<void>] {
  const isOnline = useOnline();
  const [shown, setShown] = useState<ServerList<T>>({ kind: 'loading' });
  useEffect(() => {
    let isHere = true;
    void fetchList<T>(endpoint).then((found) => isHere && setShown((before) => better(before, found)));
    return () => {
      isHere = false;
    };
  }, [endpoint, isOnline, round]);
  const takeOff = async ({ sure, call: taking, params, done }: TakingOff) => {
    if (!(await confirm(sure))) return;
    const answer = await call(taking, { params });
    // Gone meanwhile from elsewhere: what was wanted is so.
    if (!answer.ok && answer.error.reason !== 'missing') return toast({ text: answer.error.message });
    const found = await fetchList<T>(endpoint);
    setShown((before) => better(before, found));
    toast({ text: done });
  };
  return [shown, takeOff];
}
