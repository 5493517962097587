import { Camera } from 'lucide-react';
import { useRef } from 'react';
import type { MediaKind } from '#contract/media-kinds.ts';
import { megabytes } from '#lib/file-types-text.ts';
import { KIND_ICONS } from '#shared/kind-icons.ts';
import { Button } from '#ui/Button.tsx';
import { FilePicker } from '#ui/FilePicker.tsx';
import { getAcceptAttribute } from '#shared/picked-files/picked-files.ts';
import { useDropAndPaste } from '#ui/use-drop-and-paste.ts';

interface DropAreaProps {
  kind: MediaKind;
  /** Maximum size of one file. */
  maxBytes: number;
  onPick: (files: File[]) => void;
}

const CAMERA_LABELS = { image: 'Take a photo', video: 'Record a video' } as const;

/** Whether a file input can open the camera. Only browsers of mobile devices support the `capture` attribute. */
const hasCamera = () => 'capture' in HTMLInputElement.prototype;

/** The dashed area for adding files: a button that opens the file chooser. Files can also be dropped or pasted. */
export function DropArea({ kind, maxBytes, onPick }: DropAreaProps) {
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const isOver = useDropAndPaste(onPick);
  const Icon = KIND_ICONS[kind.key];
  const accept = getAcceptAttribute(kind);
  const cameraLabel =
    kind.key in CAMERA_LABELS && hasCamera() ? CAMERA_LABELS[kind.key as keyof typeof CAMERA_LABELS] : null;
  return (
    <div>
      <button
        type="button"
        className={`w-full rounded-2xl border-2 border-dashed border-field px-4 py-4 text-center ${isOver ? 'bg-secondary' : 'bg-base-200'}`}
        onClick={() => picker.current?.click()}
      >
        <Icon className="mx-auto size-7 text-primary" strokeWidth={1.75} aria-hidden />
        <span className="mt-1 block font-semibold">
          Choose {kind.plural}
          <span className="hidden md:inline"> or drop them here</span>
        </span>
        <span className={`block text-sm ${isOver ? 'text-secondary-content' : 'text-muted'}`}>
          {kind.typesText}
          <br />
          Max {megabytes(maxBytes)} MB files are allowed, up to {kind.maxFiles}
        </span>
      </button>
      <FilePicker ref={picker} accept={accept} multiple testId="file-picker" onPick={onPick} />
      {cameraLabel && (
        <>
          <Button look="tonal" icon={Camera} className="mt-3 w-full" onClick={() => camera.current?.click()}>
            {cameraLabel}
          </Button>
          <FilePicker ref={camera} accept={accept} camera testId="camera" onPick={onPick} />
        </>
      )}
    </div>
  );
}
