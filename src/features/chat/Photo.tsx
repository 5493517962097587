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

/** Small pictures of what was sent from here lately, by the message's local id: shown until the server's has come. */
const lately = new Map<string, ArrayBuffer>();
const MOST_LATELY = 30;

function remember(id: string, thumb: ArrayBuffer): void {
  lately.set(id, thumb);
  const [oldest] = lately.keys();
  if (lately.size > MOST_LATELY && oldest !== undefined) lately.delete(oldest);
}

/** Neither a ribbon nor a tower, whatever was sent: the whole is one tap away. */
const FLATTEST = 1.91;
const TALLEST = 0.75;
const WIDTH = 'w-60 max-w-[78%]';

interface FrameProps {
  width: number | null | undefined;
  height: number | null | undefined;
  label: string;
  onOpen: () => void;
  children: ReactNode;
}

/** A place of its final size from the first moment, so that nothing in the list moves when the picture comes. */
function Frame({ width, height, label, onOpen, children }: FrameProps) {
  const ratio = width && height ? Math.min(FLATTEST, Math.max(TALLEST, width / height)) : 4 / 3;
  return (
    <button
      type="button"
      aria-label={label}
      className={`relative mb-1 block overflow-hidden rounded-[18px] bg-base-300 ${WIDTH}`}
      style={{ aspectRatio: ratio }}
      onClick={onOpen}
    >
      {children}
    </button>
  );
}

const COVER = 'absolute inset-0 size-full object-cover';
const WHOLE = 'size-full object-contain';

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

/** The photo that is looked at stands in the address, so that Back returns to the conversation. */
function useViewer(id: string): { isOpen: boolean; open: () => void; close: () => void } {
  const viewing = useSheetParam('photo');
  return { isOpen: viewing.value === id, open: () => viewing.open(id), close: viewing.close };
}

interface PhotoProps {
  /** The name the message keeps from before it was confirmed. */
  id: string;
  photo: MessagePhoto;
  /** Whose it is: 'You', or the other one's name. */
  by: string;
}

/** The photo of a message that the server has. */
export const Photo = memo(function Photo({ id, photo, by }: PhotoProps) {
  const viewer = useViewer(id);
  const title = by === 'You' ? 'Photo from you' : `Photo from ${by}`;
  const sent = lately.get(id);
  const needsSignal = (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-1 px-4 text-sm text-muted">
      <ImageOff className="ic" aria-hidden />
      Go online to see this photo.
    </span>
  );
  return (
    <>
      <Frame width={photo.width} height={photo.height} label={title} onOpen={viewer.open}>
        {sent && <LocalImage id={id} bytes={sent} alt="" className={COVER} />}
        <PrivateImage
          src={photo.thumb_path ?? photo.path}
          alt=""
          className={COVER}
          fallback={sent ? null : needsSignal}
        />
      </Frame>
      {viewer.isOpen && (
        <Viewer title={title} onClose={viewer.close}>
          <PrivateImage
            src={photo.path}
            alt={title}
            className={WHOLE}
            fallback={
              <PrivateImage
                src={photo.thumb_path ?? photo.path}
                alt={title}
                className={WHOLE}
                fallback={<p className="px-6 text-center">Go online to see this photo.</p>}
              />
            }
          />
        </Viewer>
      )}
    </>
  );
});

/** One that is only on this device, with how far it has got. */
export function PendingPhoto({ id, file, isSending }: { id: string; file: MediaFile; isSending: boolean }) {
  const viewer = useViewer(id);
  const whole = useLocalFileUrl(viewer.isOpen ? file : undefined);
  if (file.thumb) remember(id, file.thumb);
  return (
    <>
      <Frame width={file.width} height={file.height} label="Photo from you" onOpen={viewer.open}>
        {file.thumb && <LocalImage id={file.id} bytes={file.thumb} alt="" className={COVER} />}
        {isSending && file.state !== 'sent' && (
          <span className="absolute inset-x-0 bottom-0">
            <ProgressBar label={`Sending ${file.name}`} done={file.offset} of={file.size} overPicture />
          </span>
        )}
      </Frame>
      {viewer.isOpen && (
        <Viewer title="Photo from you" onClose={viewer.close}>
          {whole ? (
            <img src={whole} alt="Photo from you" className={WHOLE} draggable={false} />
          ) : (
            file.thumb && <LocalImage id={file.id} bytes={file.thumb} alt="Photo from you" className={WHOLE} />
          )}
        </Viewer>
      )}
    </>
  );
}
