import { useCallback, useEffect, useState } from 'react';
import type { Endpoint } from '#contract/section.ts';
import type { AppError } from '#net/app-error.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';

/** What the desk shows. It is stored on no device, so without a connection there is only what was loaded before. */
export type DeskData<T> =
  { status: 'loading' } | { status: 'loaded'; data: T } | { status: 'refused'; error: AppError };

/**
 * Reads something of the desk, and again when the device comes online.
 */
export function useDesk<T>(endpoint: Pick<Endpoint, 'method' | 'path'>, { id = '' }: { id?: string } = {}) {
  const isOnline = useOnline();
  const address = `${endpoint.path} ${id}`;
  const [shown, setShown] = useState<{ address: string; result: DeskData<T> }>();
  const load = useCallback(async (): Promise<{ address: string; result: DeskData<T> }> => {
    const answer = await call<T>(endpoint, { params: id ? { id } : {} });
    return {
      address,
      result: answer.ok ? { status: 'loaded', data: answer.data } : { status: 'refused', error: answer.error },
    };
  }, [endpoint, id, address]);
  const show = useCallback(
    (next: { address: string; result: DeskData<T> }) =>
      // What was loaded before stays when a later read fails.
      setShown((previous) =>
        previous?.address === next.address && previous.result.status === 'loaded' && next.result.status === 'refused'
          ? previous
          : next,
      ),
    [],
  );
  useEffect(() => {
    let isMounted = true;
    void load().then((next) => isMounted && show(next));
    return () => {
      isMounted = false;
    };
  }, [load, show, isOnline]);
  const result: DeskData<T> = shown?.address === address ? shown.result : { status: 'loading' };
  return { result, refetch: async () => show(await load()) };
}
