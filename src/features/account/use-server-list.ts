import type { Endpoint } from '#contract/section.ts';
import { call } from '#net/client.ts';
import { confirm } from '#ui/confirm.tsx';
import { toast } from '#ui/Toast.tsx';
import { type ServerResource, useServerResource } from './use-server-resource.ts';

/** How something is taken off such a list. */
export interface Removal {
  sure: { title: string; text: string; yes: string };
  call: Pick<Endpoint, 'method' | 'path'>;
  params: Record<string, string>;
  /** Said when it is gone. */
  done: string;
}

/**
 * A list that only the server has.
 * @param endpoint one of CALLS: a new object is a new list
 * @param round changes when the list is known to be old
 * @returns the list, and what takes something off it once the person is sure
 */
export function useServerList<T>(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  round = 0,
): [ServerResource<T[]>, (taking: Removal) => Promise<void>] {
  const { shown, lookAgain } = useServerResource<T[]>(endpoint, { missing: 'This list is not available here.', round });
  const takeOff = async ({ sure, call: taking, params, done }: Removal) => {
    if (!(await confirm(sure))) return;
    const answer = await call(taking, { params });
    // Gone meanwhile from elsewhere: what was wanted is so.
    if (!answer.ok && answer.error.reason !== 'missing') return toast({ text: answer.error.message });
    await lookAgain();
    toast({ text: done });
  };
  return [shown, takeOff];
}
