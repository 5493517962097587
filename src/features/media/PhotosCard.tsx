import { ImagePlus, Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { IconButton } from '#ui/Button.tsx';
import { Card, EmptyRow } from '#ui/Card.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { PhotoGrid } from './PhotoGrid.tsx';

const AddPhotosSheet = lazy(async () => ({ default: (await import('./AddPhotosSheet.tsx')).AddPhotosSheet }));
const OwnPhotoViewer = lazy(async () => ({ default: (await import('./OwnPhotoViewer.tsx')).OwnPhotoViewer }));

interface PhotosCardProps {
  profileId: string;
  items: MediaItem[];
  isPage?: boolean;
}

/** The owner's photos, those that still wait among them: a card of the profile, or all of the media page. */
export function PhotosCard({ profileId, items, isPage }: PhotosCardProps) {
  const adding = useSheetParam('add');
  const viewing = useSheetParam('photo');
  const photos = items.filter((item) => item.body.media_type === 'image');
  const isAdding = adding.value === 'photos';
  return (
    <>
      <Card
        title="Photos"
        count={photos.length > 0 ? photos.length : undefined}
        action={
          photos.length > 0 && (
            <IconButton
              label="Add to Photos"
              icon={Plus}
              className="text-primary"
              onClick={() => adding.open('photos')}
            />
          )
        }
      >
        {photos.length === 0 ? (
          <EmptyRow
            icon={ImagePlus}
            label="Add photos"
            hint="Face and shoulders first, natural light"
            onAdd={() => adding.open('photos')}
          />
        ) : (
          <PhotoGrid photos={photos} isPage={isPage} onOpen={viewing.open} />
        )}
      </Card>
      <Suspense>
        {isAdding && <AddPhotosSheet profileId={profileId} onClose={adding.close} />}
        {viewing.value !== null && <OwnPhotoViewer photos={photos} openId={viewing.value} onClose={viewing.close} />}
      </Suspense>
    </>
  );
}
