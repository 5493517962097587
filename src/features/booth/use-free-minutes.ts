import { useEffect, useState } from 'react';
import { useAccount } from '#session/session.tsx';
import { makeRoom } from './room.ts';

/** Minutes that can still be recorded; null until the browser has told, and if it does not. @param key changes when takes were added */
export function useFreeMinutes(key: unknown): number | null {
  const { db } = useAccount();
  const [minutes, setMinutes] = useState<number | null>(null);
  useEffect(() => {
    let isCurrent = true;
    makeRoom(db).then((found) => isCurrent && setMinutes(found), console.warn);
    return () => {
      isCurrent = false;
    };
  }, [db, key]);
  return minutes;
}
