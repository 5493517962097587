import { RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';

interface VideoNotLoadedProps {
  role: 'status' | 'alert';
  className: string;
  /** At a tap, and when the device is online again. */
  onRetry: () => void;
}

/** Stands in the place of a video that could not be loaded. */
export function VideoNotLoaded({ role, className, onRetry }: VideoNotLoadedProps) {
  const isOnline = useOnline();
  const [wasAway, setWasAway] = useState(!isOnline);
  if (!isOnline && !wasAway) setWasAway(true);
  const retryOnline = useEffectEvent(onRetry);
  useEffect(() => {
    addEventListener('online', retryOnline);
    return () => removeEventListener('online', retryOnline);
  }, []);
  // The browser tells nothing when only the server was away.
  useEffect(() => {
    if (isOnline && wasAway) retryOnline();
  }, [isOnline, wasAway]);
  return (
    <div className={className} role={role}>
      <p>{isOnline ? 'This video could not be loaded.' : 'Go online to watch this video.'}</p>
      <Button look="tonal" icon={RotateCw} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
