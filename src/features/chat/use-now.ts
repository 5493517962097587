import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** The time, milliseconds since the epoch, looked at once a minute: for words such as 'Today'. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
