import { useEffect, useState } from 'react';
import { AVAILABILITY_CALLS } from '#contract/availability-calls.ts';
import type { SeenDay } from '#contract/records/availability.ts';
import type { AppError } from '#net/app-error.ts';
import { call } from '#net/client.ts';
import { useOnline } from '../queries/use-online.ts';

type Seen =
  | { status: 'loading' }
  | { status: 'loaded'; days: readonly SeenDay[] }
  /** The person does not show their days, or is not there for this viewer. Which of them is not told. */
  | { status: 'hidden' }
  | { status: 'failed'; error: AppError };

/**
 * Asks the server on which days somebody is free, and again when the device is back online. Nothing of it is stored, since the person may stop
 * showing it at any time.
 * @param from the first day asked for, YYYY-MM-DD
 */
export function useSeenDays(profileId: string, from: string): { seen: Seen; retry: () => void } {
  const isOnline = useOnline();
  const [tries, setTries] = useState(0);
  const [seen, setSeen] = useState<Seen>({ status: 'loading' });
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const params = { id: profileId };
      const answer = await call<{ data: SeenDay[] }>(AVAILABILITY_CALLS.readOf, { params, query: { from } });
      if (!isCurrent) return;
      if (answer.ok) setSeen({ status: 'loaded', days: answer.data.data });
      else
        setSeen(answer.error.reason === 'missing' ? { status: 'hidden' } : { status: 'failed', error: answer.error });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [profileId, from, isOnline, tries]);
  const retry = () => {
    setSeen({ status: 'loading' });
    setTries((count) => count + 1);
  };
  return { seen, retry };
}
