import { ImagePlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { LIMITS, PHOTO_TYPES } from '#contract/limits.ts';

/** The dashed area: the whole of it is the button, and files can be dropped on it. */
export function DropArea({ onPick }: { onPick: (files: File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`w-full rounded-2xl border-2 border-dashed border-field px-4 py-4 text-center ${isOver ? 'bg-secondary' : 'bg-base-200'}`}
        onClick={() => picker.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          onPick([...event.dataTransfer.files]);
        }}
      >
        <ImagePlus className="mx-auto size-7 text-primary" strokeWidth={1.75} aria-hidden />
        <span className="mt-1 block font-semibold">
          Choose photos<span className="hidden md:inline"> or drop them here</span>
        </span>
        <span className={`block text-sm ${isOver ? 'text-secondary-content' : 'text-muted'}`}>
          Only support .JPG, .JPEG .PNG
          <br />
          Max {LIMITS.uploadBytes / 1024 / 1024} MB files are allowed, up to {LIMITS.photosPerPick}
        </span>
      </button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-testid="photo-picker"
        accept={Object.keys(PHOTO_TYPES).join(',')}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          if (files.length > 0) onPick(files);
        }}
      />
    </>
  );
}
