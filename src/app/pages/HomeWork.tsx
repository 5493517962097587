import { useEffect } from 'react';
import { listAuditions, readCastingWork } from '#db/casting.ts';
import { HomeAuditions } from '#features/auditions/HomeAuditions.tsx';
import { HomeCasting } from '#features/casting/HomeCasting.tsx';
import { useQuery } from '#shared/queries/use-query.ts';

interface HomeWorkProps {
  /** Called once it shows what it has to show. */
  onReady: () => void;
}

/** The person's work, on Home: auditions that wait for them, and what they cast. */
export function HomeWork({ onReady }: HomeWorkProps) {
  const auditions = useQuery(listAuditions, []);
  const casting = useQuery(readCastingWork, []);
  const isReady = auditions !== undefined && casting !== undefined;
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady, onReady]);
  if (!isReady) return null;
  return (
    <>
      <HomeAuditions auditions={auditions} />
      <HomeCasting {...casting} />
    </>
  );
}
