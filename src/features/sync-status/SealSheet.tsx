import { Copy, Download, FileLock, FileX, Share2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { toErrorText } from '#shared/error-text.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { API_BASE } from '#net/client.ts';
import { count } from '#lib/text.ts';
import { makeCode } from '#sync/sealed/code.ts';
import { nameAccount, writeSealed } from '#sync/sealed/format.ts';
import { packContents } from '#sync/sealed/pack.ts';
import { previewSealing, sealOutbox } from '#sync/sealed/seal.ts';
import { retryOnStorageLoss } from '#sync/storage-error.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { copyText } from '#ui/copy-text.ts';
import { deviceWord } from '#ui/device.ts';
import { FormSummary } from '#ui/Field.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { saveAs } from '#ui/save-as.ts';
import { Sheet } from '#ui/Sheet.tsx';
import { countChanges, getContentText, getLeftOutText, getSealedName, hasWaitedLong } from './sealed-text.ts';

/** The origin of this account's server, as it stands in the header of a sealed file. */
export const getServerOrigin = (): string => new URL(API_BASE || '/', location.origin).origin;

function Line({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <li className="flex items-center gap-3 border-t border-base-300 py-2.5 first:border-t-0">
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-base-200">{icon}</span>
      <span className="min-w-0 grow">
        <b className="block font-semibold break-words">{title}</b>
        <span className="num text-sm text-muted">{text}</span>
      </span>
    </li>
  );
}

/** Saves the unsent changes in a file that only its code opens, in case this device is lost or cleared. */
export function SealSheet({ onClose }: { onClose: () => void }) {
  const { db, user } = useAccount();
  const [startedAt] = useState(() => new Date());
  const [code] = useState(makeCode);
  const [isWritten, setIsWritten] = useState(false);
  const [share, setShare] = useState<number | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string | null>(null);
  const preview = useQuery(previewSealing, []);
  if (!preview) return null;
  const { rows, media, leftOut } = preview;
  const changes = countChanges(rows);
  const name = getSealedName(startedAt);
  const left = getLeftOutText(leftOut, deviceWord());

  const make = async (): Promise<File> => {
    setShare(0);
    // The changes are frozen on the disk before any copy of them can leave this device.
    const { contents } = await retryOnStorageLoss(db, () => sealOutbox(db, Date.now()));
    const about = {
      account: await nameAccount(getServerOrigin(), user.id),
      made_at: startedAt.toISOString(),
      rows: countChanges(contents.rows),
    };
    const pieces = await writeSealed(packContents(contents), code, about, { onProgress: setShare });
    return new File(pieces, name, { type: 'application/octet-stream' });
  };
  const handleSave = async () => {
    if (share !== null && file === null) return;
    setError(null);
    try {
      const made = file ?? (await make());
      setFile(made);
      saveAs(made, name);
    } catch (cause) {
      setShare(null);
      setError(toErrorText(cause));
    }
  };
  const handleShare = async () => {
    if (!file) return;
    // The person closed the choice of apps, or no app took it: the file can still be saved.
    await navigator.share({ files: [file], title: name }).catch(() => undefined);
  };
  const canShare = file !== null && navigator.canShare?.({ files: [file] });
  const isEmpty = changes === 0 && file === null;

  return (
    <Sheet
      title="Save a sealed file"
      dirty={file !== null && !isWritten}
      keepText="You won’t see the code again. Write it down first."
      onClose={onClose}
      foot={
        <>
          <Button look="line" className="flex-1" onClick={onClose}>
            {file ? 'Done' : 'Later'}
          </Button>
          {canShare && (
            <Button look="tonal" icon={Share2} className="flex-1" onClick={() => void handleShare()}>
              Share
            </Button>
          )}
          <Button
            className="flex-1"
            {...(file && { icon: Download })}
            disabled={!isWritten || isEmpty || (share !== null && file === null)}
            onClick={() => void handleSave()}
          >
            {file ? 'Save again' : share === null ? 'Save the file' : 'Sealing…'}
          </Button>
        </>
      }
    >
      <p className="leading-relaxed">
        {hasWaitedLong(rows, startedAt.getTime()) &&
          `Your ${count(changes, 'change')} ${changes === 1 ? 'has' : 'have'} waited for more than a day. `}
        A sealed file is a second copy, in case this {deviceWord()} is lost or cleared. Open it on any of your devices
        and nothing goes out twice.
      </p>
      <FormSummary text={error} />
      <ul>
        <Line
          icon={<FileLock className="ic" aria-hidden />}
          title={name}
          text={isEmpty ? 'Nothing here fits into a file' : getContentText(rows, media)}
        />
        {left && <Line icon={<FileX className="ic" aria-hidden />} title={left.title} text={left.detail} />}
      </ul>
      {share !== null && file === null && <ProgressBar label="Sealing the file" done={share} of={1} />}
      {file && (
        <p role="status" className="font-medium text-saved">
          The file is saved with your downloads. Keep a copy away from this {deviceWord()}.
        </p>
      )}
      <section className="rounded-[18px] bg-secondary p-4 text-secondary-content" aria-labelledby="sealed-code">
        <div className="flex items-center">
          <h3 id="sealed-code" className="grow text-sm font-semibold">
            Your code, shown once
          </h3>
          <IconButton
            label="Copy the code"
            icon={Copy}
            className="-my-2 -mr-2"
            onClick={() => void copyText(code.join(' '), 'Code copied')}
          />
        </div>
        <p className="text-xl leading-snug font-bold" data-testid="sealed-code">
          {code.slice(0, 3).join(' ')}
          <br />
          {code.slice(3).join(' ')}
        </p>
        <p className="mt-1.5 text-sm">
          Write it down away from this {deviceWord()}. Without it nobody can open the file, not even us.
        </p>
      </section>
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          className="checkbox checkbox-primary"
          checked={isWritten}
          onChange={(event) => setIsWritten(event.target.checked)}
        />
        <span className="font-medium">I have written the code down</span>
      </label>
    </Sheet>
  );
}
