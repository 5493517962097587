import { useEffect, useState, useSyncExternalStore } from 'react';
import { reach } from '#net/client.ts';

const GRACE_MS = 2000;

function subscribe(watcher: () => void): () => void {
  const stop = reach.subscribe(watcher);
  addEventListener('online', watcher);
  addEventListener('offline', watcher);
  return () => {
    stop();
    removeEventListener('online', watcher);
    removeEventListener('offline', watcher);
  };
}

/** False once there has been no signal for two seconds; true again at once. No signal: the browser says so, or nobody answered. */
export function useOnline(): boolean {
  const hasSignal = useSyncExternalStore(subscribe, () => navigator.onLine && reach.get());
  const [lost, setLost] = useState(false);
  useEffect(() => {
    if (hasSignal) return;
    const timer = setTimeout(() => setLost(true), GRACE_MS);
    return () => {
      clearTimeout(timer);
      setLost(false);
    };
  }, [hasSignal]);
  return hasSignal || !lost;
}
