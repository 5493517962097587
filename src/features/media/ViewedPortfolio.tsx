import { lazy, Suspense } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { Card } from '#ui/Card.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { Portfolio } from './Portfolio.tsx';

const Lightbox = lazy(async () => ({ default: (await import('./Lightbox.tsx')).Lightbox }));

/** Somebody else's media: to look at and to listen to. */
export function ViewedPortfolio({ items, artist }: { items: readonly MediaItem[]; artist: string }) {
  const viewing = useSheetParam('view');
  return (
    <>
      <Card title="Media" count={items.length}>
        <Portfolio items={items} room="wide" artist={artist} onOpen={viewing.open} />
      </Card>
      <Suspense>
        {viewing.value !== null && <Lightbox items={items} openId={viewing.value} onClose={viewing.close} />}
      </Suspense>
    </>
  );
}
