import { useEffect, useState } from 'react';

/** The time in ms, told anew every half minute, for words like '3 minutes ago'. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
