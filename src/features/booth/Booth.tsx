import { ScrollText, SlidersHorizontal, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { AccountDb } from '#db/database.ts';
import { listTakes, listTakesOf, readNextName } from '#db/takes.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { getTakeName } from '#shared/casting/take-names.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { IconButton } from '#ui/Button.tsx';
import { confirm } from '#ui/confirm.tsx';
import { useNavigate } from '#ui/router.tsx';
import { useGoBack } from '#ui/use-go-back.ts';
import { useModal } from '#ui/use-modal.ts';
import type { Brief } from './brief.ts';
import { BoothControls } from './BoothControls.tsx';
import { BoothStatus } from './BoothStatus.tsx';
import { getKeyChange } from './booth-keys.ts';
import { CameraNotice } from './CameraNotice.tsx';
import { prepareFinishing } from '#shared/takes/finish-take.ts';
import { FramingGuide } from './FramingGuide.tsx';
import { Preview } from './Preview.tsx';
import { Prompter } from './Prompter.tsx';
import { LOW_ROOM_MINUTES } from './room.ts';
import { ScriptSheet } from './ScriptSheet.tsx';
import { type BoothSettings, changeSettings } from './settings.ts';
import { SettingsSheet } from './SettingsSheet.tsx';
import { SlateCard } from './SlateCard.tsx';
import { SILENT_DB } from './level.ts';
import { useCue } from './use-cue.ts';
import { useCamera } from './use-camera.ts';
import { useFreeMinutes } from './use-free-minutes.ts';
import { useLevel } from './use-level.ts';
import { useTake } from './use-take.ts';
import { type Warning, WarningNotice } from './WarningNotice.tsx';

const readTakes = async (db: AccountDb, audition: string | null) => ({
  // The booth alone lists all takes, the booth of an audition those that are its own.
  count: (audition === null ? await listTakes(db) : await listTakesOf(db, audition)).length,
  nextName: await readNextName(db, audition),
});

interface BoothProps {
  settings: BoothSettings;
  /** What the audition asks that takes are recorded for. */
  brief: Brief | null;
}

/** The booth fills the screen and is always dark. It is a dialog, so that nothing behind it can be reached. */
export function Booth({ settings, brief }: BoothProps) {
  const { db, user } = useAccount();
  const navigate = useNavigate();
  const goBack = useGoBack();
  const dialog = useRef<HTMLDialogElement>(null);
  const recordButton = useRef<HTMLButtonElement>(null);
  const [sheet, setSheet] = useState<'script' | 'settings' | null>(null);
  const [warning, setWarning] = useState<Warning | null>(null);
  const auditionId = brief?.auditionId ?? null;
  const takes = useQuery((store) => readTakes(store, auditionId), [auditionId]);
  const camera = useCamera(settings);
  const heard = useLevel(camera.stream);
  const { phase, message, start, stop } = useTake(brief?.audition ?? null);
  const freeMinutes = useFreeMinutes(takes?.count);
  const takeName = takes?.nextName ?? 'Take';
  const isIdle = phase.name === 'idle';
  const isRecording = phase.name === 'recording';
  const lines = useCue(auditionId, isRecording);
  const hasScript = settings.script.trim() !== '';
  const hasLines = hasScript || lines.cue !== null;
  const fileName = brief && getTakeName(brief.naming, user.name, { name: '', title: takeName }, 0);

  // Otherwise a browser that runs low on space may delete takes first.
  useEffect(() => void navigator.storage?.persist?.().catch(console.warn), []);
  useEffect(() => {
    recordButton.current?.focus();
    void prepareFinishing();
  }, []);

  const change = (part: Partial<BoothSettings>) => void toastOnError(changeSettings(db, part, auditionId));
  const leave = async () => {
    if (!isIdle) {
      const isSure = await confirm({
        title: 'Stop recording?',
        text: 'The take is kept.',
        yes: 'Stop and leave',
        no: 'Go on recording',
      });
      if (!isSure) return;
      await stop();
    }
    goBack();
  };
  const modal = useModal(dialog, () => void leave());

  const record = (ignored: Warning | null) => {
    if (!isIdle || camera.stream === null) return;
    const isSilent = heard?.recent != null && heard.recent.meanDb < SILENT_DB;
    if (ignored === null && isSilent) return setWarning('silent');
    if (ignored !== 'room' && freeMinutes !== null && freeMinutes < LOW_ROOM_MINUTES) return setWarning('room');
    setWarning(null);
    start(camera.stream, settings.hasCountIn);
  };
  const toggle = () => (isIdle ? record(null) : void stop());
  const handleKey = (event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    const isElsewhere = sheet !== null || event.ctrlKey || event.metaKey || event.altKey || event.repeat;
    if (isElsewhere || target?.closest('input, textarea, select')) return;
    // On a button, the space bar presses that button.
    if (event.key === ' ' && !target?.closest('button, a')) {
      event.preventDefault();
      return toggle();
    }
    if (event.key.toLowerCase() === 'p' && isRecording && hasLines) return lines.toggle();
    const part = getKeyChange(event.key, settings);
    if (part === null) return;
    event.preventDefault();
    change(part);
  };

  return (
    <dialog
      ref={dialog}
      data-theme="blackout"
      className="m-0 size-full max-h-none max-w-none overflow-hidden bg-black p-0 text-white"
      aria-label="Tape booth"
      {...modal}
      onKeyDown={handleKey}
    >
      <h1 className="sr-only">Tape booth</h1>
      <Preview stream={camera.stream} isMirrored={settings.facing === 'user' && settings.cameraId === null}>
        {!isRecording && <FramingGuide shot={settings.shot} />}
      </Preview>
      <div className="relative flex size-full flex-col landscape:flex-row [--color-primary:#fff]">
        <div className="flex min-h-0 min-w-0 grow flex-col overflow-y-auto">
          <header className="flex items-center gap-1 bg-black/75 px-2 py-1 pt-[max(0.25rem,env(safe-area-inset-top))]">
            <IconButton label="Close the booth" icon={X} onClick={() => void leave()} />
            <p className="min-w-0 grow leading-tight">
              <b className="block truncate">{brief ? `${brief.role} · ${takeName}` : takeName}</b>
              {brief && <span className="block truncate text-sm text-white/85">{brief.wanted}</span>}
            </p>
            {isIdle && (
              <>
                <IconButton label="Prompter" icon={ScrollText} onClick={() => setSheet('script')} />
                <IconButton label="Booth settings" icon={SlidersHorizontal} onClick={() => setSheet('settings')} />
              </>
            )}
          </header>
          {camera.problem !== null && isIdle ? (
            <CameraNotice problem={camera.problem} onRetry={camera.retry} />
          ) : (
            <>
              {settings.hasSlate && !isRecording && (
                <SlateCard takeName={takeName} text={settings.slateText} fileName={fileName} />
              )}
              {hasScript && <Prompter settings={settings} isRunning={isRecording && !lines.isPaused} />}
              <div className="grow" />
            </>
          )}
          {warning && (
            <WarningNotice
              warning={warning}
              freeMinutes={freeMinutes}
              onIgnore={() => record(warning)}
              onSettings={() => {
                setWarning(null);
                setSheet('settings');
              }}
              onClose={() => setWarning(null)}
            />
          )}
          <BoothStatus
            phase={phase}
            message={message}
            heard={heard}
            freeMinutes={freeMinutes}
            settings={settings}
            hasLines={hasLines}
            isPaused={lines.isPaused}
            onPause={lines.toggle}
            onChange={change}
          />
        </div>
        <BoothControls
          recordButton={recordButton}
          phase={phase}
          takeName={takeName}
          takeCount={takes?.count ?? 0}
          isReady={camera.stream !== null}
          settings={settings}
          onChange={change}
          onRecord={toggle}
          onTakes={() => navigate(auditionId === null ? '/booth/takes' : `/booth/takes?audition=${auditionId}`)}
        />
      </div>
      {sheet === 'script' && (
        <ScriptSheet
          settings={settings}
          cue={lines.cue}
          auditionId={auditionId}
          stream={camera.stream}
          onChange={change}
          onClose={() => setSheet(null)}
        />
      )}
      {sheet === 'settings' && (
        <SettingsSheet settings={settings} devices={camera.devices} onChange={change} onClose={() => setSheet(null)} />
      )}
    </dialog>
  );
}
