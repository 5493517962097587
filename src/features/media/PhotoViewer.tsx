import type { MediaItem } from '#db/queries.ts';
import { LocalImage } from '#ui/LocalImage.tsx';
import { ZoomFrame } from '#ui/ZoomFrame.tsx';
import { useLocalFileUrl } from '#shared/offline-media/local-file-url.ts';
import { getServerPath, getMediaName } from './media-item.ts';
import { ResponsiveImage } from './ResponsiveImage.tsx';

/** One photo, full-screen and zoomable. */
export function PhotoViewer({ photo, onStep }: { photo: MediaItem; onStep: (step: 1 | -1) => void }) {
  return (
    <ZoomFrame onStep={onStep}>
      <Picture photo={photo} />
    </ZoomFrame>
  );
}

const LOOK = 'size-full object-contain';

function Picture({ photo }: { photo: MediaItem }) {
  const name = getMediaName(photo);
  const address = getServerPath(photo, 'path');
  if (address) {
    return (
      <ResponsiveImage
        item={photo}
        fallbackPaths={[address, getServerPath(photo, 'thumb_path')]}
        sizes="100vw"
        className={LOOK}
        fallback={<p className="px-6 text-center">Go online to see this photo in full.</p>}
      />
    );
  }
  return <OwnBytes photo={photo} name={name} />;
}

/** A photo that is not sent yet: its local file, and the thumbnail until that is read. */
function OwnBytes({ photo, name }: { photo: MediaItem; name: string }) {
  const { file } = photo;
  const whole = useLocalFileUrl(file);
  if (whole) return <img src={whole} alt={name} className={LOOK} draggable={false} />;
  if (file?.thumb) return <LocalImage id={file.id} bytes={file.thumb} alt={name} className={LOOK} />;
  return <p className="px-6 text-center">This photo is on its way. You’ll see it here soon.</p>;
}
