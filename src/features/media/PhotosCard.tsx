import { Image as ImageIcon, ImagePlus, Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { photoItems } from '#db/queries.ts';
import { useQuery } from '#session/use-query.ts';
import { IconButton } from '#ui/Button.tsx';
import { Card, EmptyRow } from '#ui/Card.tsx';
import { LocalImage } from '#ui/LocalImage.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { nameOf, type Photo } from './photo.ts';

const AddPhotosSheet = lazy(async () => ({ default: (await import('./AddPhotosSheet.tsx')).AddPhotosSheet }));
const PhotoViewer = lazy(async () => ({ default: (await import('./PhotoViewer.tsx')).PhotoViewer }));

/** The owner's photos on the profile, those that still wait among them. */
export function PhotosCard({ profileId }: { profileId: string }) {
  const items = useQuery((db) => photoItems(db, profileId), [profileId]);
  const adding = useSheetParam('add');
  const viewing = useSheetParam('photo');
  if (!items) return null;
  const photos = items.filter((item) => !item.removedBy);
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
          <ul className="grid grid-cols-3 gap-1.5 sm:grid-cols-4 lg:grid-cols-4">
            {photos.map((photo) => (
              <li key={photo.key}>
                <PhotoTile photo={photo} onOpen={() => viewing.open(photo.id)} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Suspense>
        {isAdding && <AddPhotosSheet profileId={profileId} onClose={adding.close} />}
        {viewing.value !== null && <PhotoViewer photos={photos} openId={viewing.value} onClose={viewing.close} />}
      </Suspense>
    </>
  );
}

const FILL = 'absolute inset-0 size-full object-cover';

function PhotoTile({ photo, onOpen }: { photo: Photo; onOpen: () => void }) {
  const { file } = photo;
  const thumb = photo.body.thumb_path ?? photo.body.path;
  return (
    <button
      type="button"
      className="relative block aspect-[4/5] w-full overflow-hidden rounded-xl bg-base-300"
      onClick={onOpen}
    >
      <ImageIcon className="absolute inset-0 m-auto size-6 text-muted" aria-hidden />
      {file?.thumb ? (
        <LocalImage id={file.id} bytes={file.thumb} alt={nameOf(photo)} className={FILL} />
      ) : typeof thumb === 'string' ? (
        <img src={thumb} alt={nameOf(photo)} className={FILL} loading="lazy" decoding="async" />
      ) : (
        <span className="sr-only">{nameOf(photo)}</span>
      )}
      <span className="absolute bottom-1.5 left-1.5 max-w-full">
        <StatePill state={photo.state} />
      </span>
      {photo.state === 'sending' && file && (
        <span className="absolute inset-x-0 bottom-0">
          <ProgressBar label={nameOf(photo)} done={file.offset} of={file.size} overPicture />
        </span>
      )}
    </button>
  );
}
