import { FileAudio, Mic, Square, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatDuration } from '#lib/dates.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError, toErrorText } from '#shared/error-text.ts';
import { Button } from '#ui/Button.tsx';
import { confirm } from '#ui/confirm.tsx';
import { FieldError } from '#ui/FieldError.tsx';
import { FilePicker } from '#ui/FilePicker.tsx';
import { useObjectUrl } from '#ui/use-object-url.ts';
import { canPlay, CUE_MAX_BYTES, CUE_MAX_MINUTES, type Cue, removeCue, saveCue } from './cue.ts';
import { useCueRecorder } from './use-cue-recorder.ts';

const MB = 1024 * 1024;

interface CueFieldProps {
  cue: Cue | null;
  /** The audition that takes are recorded for; null for the booth alone. */
  auditionId: string | null;
  /** Of the booth; null while there is no microphone. */
  stream: MediaStream | null;
}

/** The other person's lines: recorded by a reader, or a sound file that somebody sent. */
export function CueField({ cue, auditionId, stream }: CueFieldProps) {
  const { db } = useAccount();
  const picker = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const recorder = useCueRecorder(auditionId);

  const mayReplace = async () =>
    cue === null ||
    confirm({ title: 'Replace the other lines?', text: `“${cue.name}” is removed.`, yes: 'Replace', danger: true });
  const record = async () => {
    setRefusal(null);
    if (stream && (await mayReplace())) recorder.start(stream);
  };
  const pick = async (file: File | undefined) => {
    if (!file) return;
    setRefusal(null);
    if (file.size > CUE_MAX_BYTES) return setRefusal(`Choose a file of at most ${CUE_MAX_BYTES / MB} MB.`);
    if (!(await canPlay(file))) return setRefusal('This browser can’t play that file. Choose an MP3 or M4A file.');
    if (!(await mayReplace())) return;
    try {
      await saveCue(db, auditionId, { name: file.name, sound: file, savedAt: Date.now() });
    } catch (error) {
      setRefusal(toErrorText(error));
    }
  };
  const remove = async () => {
    const isSure = await confirm({ title: 'Remove the other lines?', yes: 'Remove', danger: true });
    if (isSure) await toastOnError(removeCue(db, auditionId));
  };
  const error = recorder.error ?? refusal;

  return (
    <fieldset className="space-y-3">
      <legend className="mb-1.5 text-sm font-semibold">
        The other lines <span className="font-normal text-muted">optional</span>
      </legend>
      <p className="text-sm text-muted">
        A reader speaks them once, with pauses for yours. They play while a take is running. Wear headphones, or they
        will be in your take.
      </p>
      {recorder.startedAt !== null ? (
        <Button look="danger" icon={Square} onClick={recorder.stop}>
          Stop, <Seconds since={recorder.startedAt} /> of {CUE_MAX_MINUTES}:00
        </Button>
      ) : (
        <>
          {cue && <CuePlayer cue={cue} />}
          <div className="flex flex-wrap gap-2">
            <Button look="tonal" icon={Mic} disabled={stream === null} onClick={() => void record()}>
              {cue ? 'Record again' : 'Record them'}
            </Button>
            <Button look="tonal" icon={FileAudio} onClick={() => picker.current?.click()}>
              Choose a sound file
            </Button>
            {cue && (
              <Button look="plain" icon={Trash2} onClick={() => void remove()}>
                Remove
              </Button>
            )}
          </div>
        </>
      )}
      {error !== null && <FieldError>{error}</FieldError>}
      <FilePicker ref={picker} accept="audio/*" testId="cue-file" onPick={([file]) => void pick(file)} />
    </fieldset>
  );
}

function CuePlayer({ cue }: { cue: Cue }) {
  const url = useObjectUrl(String(cue.savedAt), () => Promise.resolve(cue.sound));
  return (
    <div className="space-y-1">
      <p className="truncate text-sm">{cue.name}</p>
      {url && <audio src={url} controls className="w-full" aria-label="The other lines" />}
    </div>
  );
}

function Seconds({ since }: { since: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1000)), 250);
    return () => clearInterval(timer);
  }, [since]);
  return <span className="num">{formatDuration(seconds)}</span>;
}
