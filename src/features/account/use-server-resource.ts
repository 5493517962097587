import { useCallback, useEffect, useState } from 'react';
import type { Endpoint } from '#contract/section.ts';
import type { AppError } from '#net/app-error.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';

/** Data that is not stored on this device. `fetchedAt` is in milliseconds since the epoch. */
export type ServerResource<T> =
  { status: 'loading' } | { status: 'loaded'; data: T; fetchedAt: number } | { status: 'unavailable'; message: string };

/** Nothing to do: it is fetched again by itself. */
const OFFLINE = 'You can see this when you’re back online.';

/** Keeps data that was loaded before if a later request fails. */
const keepLoaded = <T>(previous: ServerResource<T>, result: ServerResource<T>): ServerResource<T> =>
  result.status === 'unavailable' && previous.status === 'loaded' ? previous : result;

interface Options {
  /** Message for a basic API, which does not have the endpoint. */
  missingMessage: string;
  /** A new value causes a refetch. */
  refreshKey?: number;
}

/**
 * Fetches data that is not stored on this device, and refetches when the device is online again.
 * @param endpoint one of CALLS; needs a stable identity
 */
export function useServerResource<T>(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  { missingMessage, refreshKey = 0 }: Options,
) {
  const isOnline = useOnline();
  const [resource, setResource] = useState<ServerResource<T>>({ status: 'loading' });
  const fetchResource = useCallback(async (): Promise<ServerResource<T>> => {
    const answer = await call<T>(endpoint);
    if (answer.ok) return { status: 'loaded', data: answer.data, fetchedAt: Date.now() };
    const { reason, message } = answer.error;
    const own: Partial<Record<AppError['reason'], string>> = { missing: missingMessage, network: OFFLINE };
    return { status: 'unavailable', message: own[reason] ?? message };
  }, [endpoint, missingMessage]);
  useEffect(() => {
    let isMounted = true;
    void fetchResource().then((result) => isMounted && setResource((previous) => keepLoaded(previous, result)));
    return () => {
      isMounted = false;
    };
  }, [fetchResource, isOnline, refreshKey]);
  const refetch = async () => {
    const result = await fetchResource();
    setResource((previous) => keepLoaded(previous, result));
  };
  /** Replaces the data optimistically, without a request. */
  const setData = (data: T) => setResource({ status: 'loaded', data, fetchedAt: Date.now() });
  return { resource, refetch, setData };
}
