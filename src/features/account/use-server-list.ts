import type { Endpoint } from '#contract/section.ts';
import { call } from '#net/client.ts';
import { withFreshSignIn } from '#shared/fresh-sign-in/with-fresh-sign-in.ts';
import { confirm } from '#ui/confirm.tsx';
import { toast } from '#ui/Toast.tsx';
import { type ServerResource, useServerResource } from './use-server-resource.ts';

/** How an item is removed from a server list. */
export interface Removal {
  confirmation: { title: string; text: string; yes: string };
  call: Pick<Endpoint, 'method' | 'path'>;
  params: Record<string, string>;
  /** Text of the toast after the removal. */
  doneText: string;
}

/**
 * Fetches a list that is not stored on this device.
 * @param endpoint one of CALLS; needs a stable identity
 * @param refreshKey a new value causes a refetch
 * @returns the list, and a function that asks for confirmation and then removes an item
 */
export function useServerList<T>(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  refreshKey = 0,
): [ServerResource<T[]>, (removal: Removal) => Promise<void>] {
  const { resource, refetch } = useServerResource<T[]>(endpoint, {
    missingMessage: 'This list is not available here.',
    refreshKey,
  });
  const remove = async (removal: Removal) => {
    if (!(await confirm(removal.confirmation))) return;
    const answer = await withFreshSignIn((key) => call(removal.call, { params: removal.params, key }));
    if (answer === null) return;
    // Already removed from another device: the result is the same.
    if (!answer.ok && answer.error.reason !== 'missing') return toast({ text: answer.error.message });
    await refetch();
    toast({ text: removal.doneText });
  };
  return [resource, remove];
}
