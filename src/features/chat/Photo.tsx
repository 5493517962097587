import { ImageOff } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { MessagePhoto } from '#contract/records/chat.ts';
import type { MediaFile } from '#db/rows.ts';
import { useLocalFileUrl } from '#shared/offline-media/local-file-url.ts';
import { PrivateImage } from '#shared/offline-media/PrivateImage.tsx';
import { DarkDialog } from '#ui/DarkDialog.tsx';
import { LocalImage } from '#ui/LocalImage.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { ZoomFrame } from '#ui/ZoomFrame.tsx';

/** Thumbnails of photos sent from this page, by the message's local id. They are shown until the server's image has loaded. */
const sentThumbs = new Map<string, ArrayBuffer>();
const MAX_SENT_THUMBS = 30;

function rememberThumb(id: string, thumb: ArrayBuffer): void {
  sentThumbs.set(id, thumb);
  const [oldest] = sentThumbs.keys();
  if (sentThumbs.size > MAX_SENT_THUMBS && oldest !== undefined) sentThumbs.delete(oldest);
}

/** Limits of a photo's width divided by its height in the list. The viewer shows the whole photo. */
const MAX_RATIO = 1.91;
const MIN_RATIO = 0.75;
const WIDTH_CLASS = 'w-60 max-w-[78%]';

interface FrameProps {
  width: number | null | undefined;
  height: number | null | undefined;
  label: string;
  onOpen: () => void;
  children: ReactNode;
}

/** Reserves the photo's final size, so that the list does not shift when the image loads. */
function Frame({ width, height, label, onOpen, children }: FrameProps) {
  const ratio = width && height ? Math.min(MAX_RATIO, Math.max(MIN_RATIO, width / height)) : 4 / 3;
  return (
    <button
      type="button"
      aria-label={label}
      className={`relative mb-1 block overflow-hidden rounded-[18px] bg-base-300 ${WIDTH_CLASS}`}
      style={{ aspectRatio: ratio }}
      onClick={onOpen}
    >
      {children}
    </button>
  );
}

const COVER_CLASS = 'absolute inset-0 size-full object-cover';
const CONTAIN_CLASS = 'size-full object-contain';

const Viewer = ({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) => (
  <DarkDialog
    label={title}
    closeLabel="Close photo"
    head={<p className="grow truncate px-2.5 font-semibold">{title}</p>}
    onClose={onClose}
  >
    <ZoomFrame>{children}</ZoomFrame>
  </DarkDialog>
);

/** Keeps the open photo in the URL, so that Back returns to the conversation. */
function useViewer(id: string): { isOpen: boolean; open: () => void; close: () => void } {
  const viewing = useSheetParam('photo');
  return { isOpen: viewing.value === id, open: () => viewing.open(id), close: viewing.close };
}

interface PhotoProps {
  /** The message's key, which it keeps when the server confirms it. */
  id: string;
  photo: MessagePhoto;
  /** 'You', or the name of the other person. */
  by: string;
}

/** The photo of a message that the server has stored. */
export const Photo = memo(function Photo({ id, photo, by }: PhotoProps) {
  const viewer = useViewer(id);
  const title = by === 'You' ? 'Photo from you' : `Photo from ${by}`;
  const sentThumb = sentThumbs.get(id);
  const needsSignal = (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-1 px-4 text-sm text-muted">
      <ImageOff className="ic" aria-hidden />
      Go online to see this photo.
    </span>
  );
  return (
    <>
      <Frame width={photo.width} height={photo.height} label={title} onOpen={viewer.open}>
        {sentThumb && <LocalImage id={id} bytes={sentThumb} alt="" className={COVER_CLASS} />}
        <PrivateImage
          src={photo.thumb_path ?? photo.path}
          alt=""
          className={COVER_CLASS}
          fallback={sentThumb ? null : needsSignal}
        />
      </Frame>
      {viewer.isOpen && (
        <Viewer title={title} onClose={viewer.close}>
          <PrivateImage
            src={photo.path}
            alt={title}
            className={CONTAIN_CLASS}
            fallback={
              <PrivateImage
                src={photo.thumb_path ?? photo.path}
                alt={title}
                className={CONTAIN_CLASS}
                fallback={<p className="px-6 text-center">Go online to see this photo.</p>}
              />
            }
          />
        </Viewer>
      )}
    </>
  );
});

/** The photo of a message that is still on this device only, with the progress of its upload. */
export function PendingPhoto({ id, file, isSending }: { id: string; file: MediaFile; isSending: boolean }) {
  const viewer = useViewer(id);
  const url = useLocalFileUrl(viewer.isOpen ? file : undefined);
  if (file.thumb) rememberThumb(id, file.thumb);
  return (
    <>
      <Frame width={file.width} height={file.height} label="Photo from you" onOpen={viewer.open}>
        {file.thumb && <LocalImage id={file.id} bytes={file.thumb} alt="" className={COVER_CLASS} />}
        {isSending && file.state !== 'sent' && (
          <span className="absolute inset-x-0 bottom-0">
            <ProgressBar label={`Sending ${file.name}`} done={file.offset} of={file.size} overPicture />
          </span>
        )}
      </Frame>
      {viewer.isOpen && (
        <Viewer title="Photo from you" onClose={viewer.close}>
          {url ? (
            <img src={url} alt="Photo from you" className={CONTAIN_CLASS} draggable={false} />
          ) : (
            file.thumb && <LocalImage id={file.id} bytes={file.thumb} alt="Photo from you" className={CONTAIN_CLASS} />
          )}
        </Viewer>
      )}
    </>
  );
}
