import { FilePlus } from 'lucide-react';
import { useRef } from 'react';
import { count } from '#lib/text.ts';
import { PickedRow } from '#shared/picked-files/PickedRow.tsx';
import { getAcceptAttribute } from '#shared/picked-files/picked-files.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { FieldError } from '#ui/FieldError.tsx';
import { FilePicker } from '#ui/FilePicker.tsx';
import { type PickedSides, SIDES_KIND } from './use-sides.ts';

interface SidesFieldProps {
  sides: PickedSides;
  maxBytes: number;
  error: string | undefined;
  /** Shows something about what was picked. */
  onNote: (text: string | null) => void;
}

/** The PDFs of the pages to read. Each is stored on this device as soon as it is picked. */
export function SidesField({ sides: { picks, getFacts }, maxBytes, error, onNote }: SidesFieldProps) {
  const isOnline = useOnline();
  const picker = useRef<HTMLInputElement>(null);
  const handlePick = (picked: File[]) => {
    const left = picks.add(picked);
    onNote(left > 0 ? `${count(SIDES_KIND.maxFiles, 'PDF')} are the most for one request.` : null);
  };
  return (
    <div role="group" aria-label="Sides as PDF" aria-describedby={error ? 'sides-error' : undefined}>
      <ul>
        {picks.files.map((file) => (
          <PickedRow
            key={file.key}
            kind={SIDES_KIND}
            maxBytes={maxBytes}
            file={file}
            facts={getFacts(file)}
            isOnline={isOnline}
            needsFullLabel
            error={undefined}
            onRename={(title) => picks.rename(file, title)}
            onRemove={() => picks.remove(file)}
            onShrink={() => void picks.shrink(file)}
            onRetry={() => picks.retry(file)}
            onOriginal={() => picks.useOriginal(file)}
            onPause={() => picks.togglePause(file)}
            onConvert={() => picks.convert(file)}
          />
        ))}
      </ul>
      {picks.files.length < SIDES_KIND.maxFiles && (
        <Button
          look="tonal"
          icon={FilePlus}
          aria-invalid={error ? true : undefined}
          onClick={() => picker.current?.click()}
        >
          {picks.files.length === 0 ? 'Add sides as PDF' : 'Add another PDF'}
        </Button>
      )}
      <FilePicker ref={picker} accept={getAcceptAttribute(SIDES_KIND)} multiple testId="sides" onPick={handlePick} />
      {error && <FieldError id="sides-error">{error}</FieldError>}
    </div>
  );
}
