import { FileLock } from 'lucide-react';
import { useRef, useState } from 'react';
import { clockText, dayText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { toErrorText } from '#shared/error-text.ts';
import { useAccount } from '#session/session.tsx';
import { CODE_LENGTH, findSlip, parseCode, WORDS } from '#sync/sealed/code.ts';
import { nameAccount, readHeader, readSealed, SealedError, type SealedHeader } from '#sync/sealed/format.ts';
import { openSealed, type Opened } from '#sync/sealed/open.ts';
import { unpackContents } from '#sync/sealed/pack.ts';
import { retryOnStorageLoss } from '#sync/storage-error.ts';
import { realClock } from '#lib/platform.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { FormSummary } from '#ui/Field.tsx';
import { FilePicker } from '#ui/FilePicker.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { SuggestField } from '#ui/SuggestField.tsx';
import { REFUSAL_TEXTS } from './sealed-text.ts';
import { getServerOrigin } from './SealSheet.tsx';

interface Picked {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  header: SealedHeader;
}

/** Fills the words from the one that was typed or pasted into: a whole code may be pasted into any field. */
function fillWords(words: readonly string[], at: number, typed: string): string[] {
  const parts = parseCode(typed);
  if (parts.length < 2) return words.map((word, n) => (n === at ? typed : word));
  const from = parts.length === CODE_LENGTH ? 0 : at;
  return words.map((word, n) => parts[n - from] ?? word);
}

const getErrorText = (cause: unknown) =>
  cause instanceof SealedError ? REFUSAL_TEXTS[cause.reason] : toErrorText(cause);

function getResultText({ added, known, stale }: Opened, device: string): string {
  if (added === 0) return `Everything in the file is on this ${device} already.`;
  const asked = stale > 0 ? ` ${count(stale, 'change')} ${stale === 1 ? 'is' : 'are'} old, so we ask you first.` : '';
  return `${known > 0 ? 'The rest of the file' : 'The file'} is on this ${device} now and will be sent.${asked}`;
}

/** Opens a sealed file of the same account and adds its changes to the ones that wait here. */
export function OpenSealedSheet({ onClose }: { onClose: () => void }) {
  const { db, user, engine } = useAccount();
  const input = useRef<HTMLInputElement>(null);
  const [picked, setPicked] = useState<Picked | null>(null);
  const [words, setWords] = useState<readonly string[]>(() => Array<string>(CODE_LENGTH).fill(''));
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const typed = words.map((word) => word.trim().toLowerCase());
  const isComplete = typed.every(Boolean);

  const handlePick = async ([file]: File[]) => {
    if (!file) return;
    setError(null);
    setPicked(null);
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const header = readHeader(bytes);
      if (header.account !== (await nameAccount(getServerOrigin(), user.id))) setError(REFUSAL_TEXTS.foreign);
      else setPicked({ name: file.name, bytes, header });
    } catch (cause) {
      setError(getErrorText(cause));
    }
  };
  const handleOpen = async () => {
    if (!picked || !isComplete || share !== null) return;
    const slip = findSlip(typed);
    if (slip !== null) return setError(`“${slip}” is not one of our words. Check its spelling.`);
    setError(null);
    setShare(0);
    try {
      const contents = unpackContents(await readSealed(picked.bytes, typed, setShare));
      setOpened(await retryOnStorageLoss(db, () => openSealed({ db, clock: realClock }, contents)));
      engine.wake('enqueue');
    } catch (cause) {
      setError(`${getErrorText(cause)} Nothing was changed.`);
    } finally {
      setShare(null);
    }
  };

  return (
    <Sheet
      title="Open a sealed file"
      dirty={!opened && typed.some(Boolean)}
      keepText="The file is not open yet."
      onClose={onClose}
      {...(!opened && picked && { onSubmit: () => void handleOpen() })}
      foot={
        opened ? (
          <Button className="flex-1" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button look="line" className="flex-1" onClick={onClose}>
              Later
            </Button>
            {picked ? (
              <Button type="submit" className="flex-1" disabled={!isComplete || share !== null}>
                {share === null ? 'Open' : 'Opening…'}
              </Button>
            ) : (
              <Button className="flex-1" icon={FileLock} onClick={() => input.current?.click()}>
                Choose the file
              </Button>
            )}
          </>
        )
      }
    >
      <FilePicker
        ref={input}
        accept=".sealed,application/octet-stream"
        testId="sealed-file"
        onPick={(files) => void handlePick(files)}
      />
      <FormSummary text={error} />
      {opened ? (
        <p role="status">{getResultText(opened, deviceWord())}</p>
      ) : picked ? (
        <>
          <p>
            <b className="font-semibold break-words">{picked.name}</b>: {count(picked.header.rows, 'change')}, saved on{' '}
            {dayText(picked.header.made_at)}, {clockText(Date.parse(picked.header.made_at))}. If you have discarded one
            of them since, it comes back.
          </p>
          <fieldset className="grid grid-cols-2 gap-x-3 gap-y-2">
            <legend className="mb-1.5 text-sm font-semibold">The six words of its code</legend>
            {words.map((word, at) => (
              <SuggestField
                key={at}
                label={`Word ${at + 1}`}
                name={`word-${at + 1}`}
                value={word}
                known={WORDS}
                onChange={(value) => setWords((before) => fillWords(before, at, value))}
              />
            ))}
          </fieldset>
          {share !== null && <ProgressBar label="Opening the file" done={share} of={1} />}
        </>
      ) : (
        <p className="leading-relaxed">
          Choose a file that you saved on another device. Its changes are added to the ones that wait here, and nothing
          goes out twice.
        </p>
      )}
    </Sheet>
  );
}
