import { lazy, Suspense } from 'react';
import { Card } from '#ui/Card.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { PhotoGrid } from './PhotoGrid.tsx';
import type { Photo } from './photo.ts';

const PhotoViewer = lazy(async () => ({ default: (await import('./PhotoViewer.tsx')).PhotoViewer }));

/** Somebody else's photos: to look at. */
export function ViewedPhotos({ items }: { items: readonly Photo[] }) {
  const photos = items.filter((item) => item.body.media_type === 'image');
  const viewing = useSheetParam('photo');
  return (
    <>
      <Card title="Media" count={photos.length}>
        <PhotoGrid photos={photos} isWide onOpen={viewing.open} />
      </Card>
      <Suspense>
        {viewing.value !== null && <PhotoViewer photos={photos} openId={viewing.value} onClose={viewing.close} />}
      </Suspense>
    </>
  );
}
