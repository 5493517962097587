import { FileText } from 'lucide-react';
import type { Tape } from '#contract/records/tapes.ts';
import { fileSize } from '#lib/amounts.ts';
import { count } from '#lib/text.ts';
import { useOpenPdf } from '#shared/offline-media/use-open-pdf.ts';
import { Button } from '#ui/Button.tsx';

type Cv = NonNullable<Tape['cv']>;

/** The CV that came with a tape. A tap opens it as soon as it has arrived. */
export function TapeCv({ cv: { name, pages, size, path } }: { cv: Cv }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-base-300 py-2.5">
      <FileText className="ic text-muted" aria-hidden />
      <span className="min-w-0 grow basis-40">
        <b className="block font-semibold break-words">{name}</b>
        {/* What is still on this device has no pages: the server counts them. */}
        <span className="num text-sm text-muted">
          {pages ? `${count(pages, 'page')}, ` : ''}
          {fileSize(size)}
        </span>
      </span>
      {path && <OpenCv name={name} path={path} label={`Open ${name}`} text="Open" />}
    </div>
  );
}

interface OpenCvProps {
  name: string;
  path: string;
  /** The accessible name of the button, which begins with its text. */
  label: string;
  text: string;
}

export function OpenCv({ name, path, label, text }: OpenCvProps) {
  const { isUnavailable, open } = useOpenPdf({ path, name });
  return (
    <>
      <Button look="tonal" aria-label={label} onClick={open}>
        {text}
      </Button>
      {isUnavailable && (
        <span className="block basis-full text-sm text-needs" role="status">
          Go online to open this.
        </span>
      )}
    </>
  );
}
