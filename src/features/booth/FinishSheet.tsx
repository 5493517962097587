import { useEffect, useEffectEvent, useState } from 'react';
import type { Take } from '#db/rows.ts';
import { fileSize, percent } from '#lib/amounts.ts';
import { megabytes } from '#lib/file-types-text.ts';
import { storeShared } from '#lib/shared-files.ts';
import type { FinishFailure } from '#lib/take-messages.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useUploadLimits } from '#shared/queries/use-upload-limits.ts';
import { formatFinishFailure } from '#shared/takes/finish-failure-text.ts';
import { readRecording } from '#shared/takes/take-storage.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { useNavigate } from '#ui/router.tsx';
import { saveAs } from '#ui/save-as.ts';
import { Sheet } from '#ui/Sheet.tsx';
import { finishTake, MP4, type Outcome, toFileName } from '#shared/takes/finish-take.ts';

/** What the MP4 of a take is for. */
export type Purpose = 'file' | 'portfolio';

type State =
  | { name: 'making'; done: number; total: number }
  | { name: 'ready'; file: Blob }
  | { name: 'failed'; reason: FinishFailure };

interface FinishSheetProps {
  take: Take;
  purpose: Purpose;
  onClose: () => void;
}

/** Makes the MP4 of a take and hands it over: as a file, or to the sheet that adds videos to the portfolio. */
export function FinishSheet({ take, purpose, onClose }: FinishSheetProps) {
  const { db } = useAccount();
  const [state, setState] = useState<State>({ name: 'making', done: 0, total: 0 });
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const onProgress = (done: number, total: number) => setState({ name: 'making', done, total });
    const show = (outcome: Outcome) => {
      if (signal.aborted) return;
      if (outcome.ok) setState({ name: 'ready', file: outcome.file });
      else if (outcome.reason !== 'canceled') setState({ name: 'failed', reason: outcome.reason });
    };
    finishTake(db, take, { signal, onProgress }).then(show, reportError);
    return () => control.abort();
  }, [db, take]);
  switch (state.name) {
    case 'making':
      return <Making take={take} {...state} onCancel={onClose} />;
    case 'failed':
      return <Failed take={take} reason={state.reason} onClose={onClose} />;
    case 'ready':
      return purpose === 'file' ? (
        <ReadyToSave take={take} file={state.file} onClose={onClose} />
      ) : (
        <ReadyToAdd take={take} file={state.file} onClose={onClose} />
      );
  }
}

interface MakingProps {
  take: Take;
  done: number;
  total: number;
  onCancel: () => void;
}

function Making({ take, done, total, onCancel }: MakingProps) {
  return (
    <Sheet
      title="Making the MP4"
      onClose={onCancel}
      foot={
        <Button look="line" className="flex-1" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <p className="num text-sm text-muted">{total > 0 ? `${percent(done, total)}%` : 'Opening the take'}</p>
      <ProgressBar label={`Making the MP4 of ${take.name}`} done={done} of={total} />
      <p className="text-sm text-muted">The take itself stays as it is.</p>
    </Sheet>
  );
}

function Failed({ take, reason, onClose }: { take: Take; reason: FinishFailure; onClose: () => void }) {
  const { db } = useAccount();
  const handleSave = async () => {
    const recording = await readRecording(db, take);
    if (recording) saveAs(recording, toFileName(take.name, take.mime));
    onClose();
  };
  return (
    <Sheet
      title="No MP4 yet"
      onClose={onClose}
      foot={
        <>
          <Button look="line" className="flex-1" onClick={onClose}>
            Close
          </Button>
          <Button className="flex-1" onClick={() => void toastOnError(handleSave())}>
            Save the original
          </Button>
        </>
      }
    >
      <p role="alert">{formatFinishFailure(reason, deviceWord())}</p>
      <p className="text-muted">
        Your take is untouched. You can save the original file, which most players and editing programs open.
      </p>
    </Sheet>
  );
}

interface ReadyProps {
  take: Take;
  file: Blob;
  onClose: () => void;
}

/** Browsers allow a download only right after a tap, and making the MP4 may have taken a while. */
function ReadyToSave({ take, file, onClose }: ReadyProps) {
  return (
    <Sheet
      title="The MP4 is ready"
      onClose={onClose}
      foot={
        <Button
          className="flex-1"
          onClick={() => {
            saveAs(file, toFileName(take.name, MP4));
            onClose();
          }}
        >
          Save file
        </Button>
      }
    >
      <p className="num">
        {toFileName(take.name, MP4)} · {fileSize(file.size)}
      </p>
    </Sheet>
  );
}

/** Hands the file to the sheet that adds videos, in the same way as a file that another app shares. */
function ReadyToAdd({ take, file, onClose }: ReadyProps) {
  const navigate = useNavigate();
  const maxBytes = useUploadLimits()?.video;
  const add = useEffectEvent(async () => {
    const form = new FormData();
    form.append('files', new File([file], toFileName(take.name, MP4), { type: MP4 }));
    try {
      await storeShared(form);
    } catch (error) {
      // Nothing is shown meanwhile, so that it could not be tried again.
      onClose();
      throw error;
    }
    navigate('/media');
  });
  const fits = maxBytes !== undefined && file.size <= maxBytes;
  useEffect(() => {
    if (fits) void toastOnError(add());
  }, [fits]);
  if (maxBytes === undefined || fits) return null;
  return (
    <Sheet
      title="Too large for the portfolio"
      onClose={onClose}
      foot={
        <>
          <Button look="line" className="flex-1" onClick={onClose}>
            Close
          </Button>
          <Button className="flex-1" onClick={() => saveAs(file, toFileName(take.name, MP4))}>
            Save file
          </Button>
        </>
      }
    >
      <p className="num">
        {take.name} has {fileSize(file.size)}. A file can have up to {megabytes(maxBytes)} MB.
      </p>
      <p className="text-muted">Trim the take, or save it as a file and put it on YouTube.</p>
    </Sheet>
  );
}
