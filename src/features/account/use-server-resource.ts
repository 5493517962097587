import { useCallback, useEffect, useState } from 'react';
import type { Endpoint } from '#contract/section.ts';
import type { AppError } from '#net/app-error.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';

interface Loading {
  status: 'loading';
}
interface Loaded<T> {
  status: 'loaded';
  data: T;
  /** Milliseconds since the epoch. */
  fetchedAt: number;
}
interface Unavailable {
  status: 'unavailable';
  message: string;
  /** False where asking again would not help, or happens by itself. */
  canRetry: boolean;
}
type State<T> = Loading | Loaded<T> | Unavailable;

/** Data that is not stored on this device. */
export type ServerResource<T> = Loading | Loaded<T> | (Unavailable & { retry: () => Promise<void> });

/** Nothing to do: it is fetched again by itself. */
const OFFLINE = 'You can see this when you’re back online.';

/** Keeps data that was loaded before if a later request fails. */
const keepLoaded = <T>(previous: State<T>, result: State<T>): State<T> =>
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
  const [state, setState] = useState<State<T>>({ status: 'loading' });
  const fetchResource = useCallback(async (): Promise<State<T>> => {
    const answer = await call<T>(endpoint);
    if (answer.ok) return { status: 'loaded', data: answer.data, fetchedAt: Date.now() };
    const { reason, message } = answer.error;
    const own: Partial<Record<AppError['reason'], string>> = { missing: missingMessage, network: OFFLINE };
    return { status: 'unavailable', message: own[reason] ?? message, canRetry: !(reason in own) };
  }, [endpoint, missingMessage]);
  useEffect(() => {
    let isMounted = true;
    void fetchResource().then((result) => isMounted && setState((previous) => keepLoaded(previous, result)));
    return () => {
      isMounted = false;
    };
  }, [fetchResource, isOnline, refreshKey]);
  const refetch = async () => {
    const result = await fetchResource();
    setState((previous) => keepLoaded(previous, result));
  };
  /** Replaces the data optimistically, without a request. */
  const setData = (data: T) => setState({ status: 'loaded', data, fetchedAt: Date.now() });
  const resource: ServerResource<T> = state.status === 'unavailable' ? { ...state, retry: refetch } : state;
  return { resource, refetch, setData };
}
