import { FilePlus } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { FieldError } from '#ui/FieldError.tsx';
import { FilePicker } from '#ui/FilePicker.tsx';
import { getAcceptAttribute } from './picked-files.ts';
import { PickedRow } from './PickedRow.tsx';
import type { PickedPdfs } from './use-pdfs.ts';

interface PdfFieldProps {
  pdfs: PickedPdfs;
  /** Names the field; its other ids begin with `name`. */
  label: string;
  name: string;
  /** The words of the button, and of the message when too many were picked. */
  addText: string;
  tooManyText: string;
  error?: string | undefined;
  /** Another way to add one, beside the button. */
  more?: ReactNode;
  /** Shows something about what was picked. */
  onNote: (text: string | null) => void;
}

/** The PDFs in a form, with what is known of each. */
export function PdfField({ pdfs, label, name, addText, tooManyText, error, more, onNote }: PdfFieldProps) {
  const { kind, maxBytes, picks, getFacts } = pdfs;
  const errorId = `${name}-error`;
  const isOnline = useOnline();
  const picker = useRef<HTMLInputElement>(null);
  const handlePick = (picked: File[]) => {
    const left = picks.add(picked);
    onNote(left > 0 ? tooManyText : null);
  };
  return (
    <div role="group" aria-label={label} aria-describedby={error ? errorId : undefined}>
      <ul>
        {picks.files.map((file) => (
          <PickedRow
            key={file.key}
            kind={kind}
            maxBytes={maxBytes}
            file={file}
            facts={getFacts(file)}
            isOnline={isOnline}
            needsFullLabel
            error={undefined}
            picks={picks}
          />
        ))}
      </ul>
      {picks.files.length < kind.maxFiles && (
        <div className="flex flex-wrap gap-2">
          {more}
          <Button
            look="tonal"
            icon={FilePlus}
            aria-invalid={error ? true : undefined}
            onClick={() => picker.current?.click()}
          >
            {picks.files.length === 0 ? addText : 'Add another PDF'}
          </Button>
        </div>
      )}
      <FilePicker
        ref={picker}
        accept={getAcceptAttribute(kind)}
        multiple={kind.maxFiles > 1}
        testId={name}
        onPick={handlePick}
      />
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}
