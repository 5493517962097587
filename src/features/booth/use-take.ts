import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Take } from '#db/rows.ts';
import { useAccount } from '#session/session.tsx';
import { TakeWriteError } from '#shared/takes/take-writer.ts';
import { useBusyWhile } from '#ui/busy.ts';
import { deviceWord } from '#ui/device.ts';
import { countIn } from './count-in.ts';
import { chooseType, type Recording, startRecording } from './recording.ts';
import { type Trouble, watchTrouble } from './trouble.ts';
import { formatEnd } from './words.ts';

/** What the booth is doing. `left`: seconds of the count-in. */
export type Phase =
  { name: 'idle' } | { name: 'counting'; left: number } | { name: 'recording'; startedAt: number } | { name: 'saving' };

export interface TakeControl {
  phase: Phase;
  /** What happened to the last take, if it did not end as the person wished. */
  message: string | null;
  /** Counts in, if wanted, and records. */
  start(stream: MediaStream, hasCountIn: boolean): void;
  /** Ends the count-in or the take. Resolves once it is whole on disk. */
  stop(): Promise<void>;
}

const IDLE: Phase = { name: 'idle' };

/** Keeps the screen awake; without wake locks, or when the system refuses, the screen may fall asleep and end the take. */
function keepAwake(): () => void {
  const { wakeLock } = navigator as Partial<Navigator>;
  const lock = wakeLock?.request('screen').catch(() => null);
  return () => void lock?.then((held) => held?.release()).catch(console.warn);
}

function explainRefusal(error: unknown): string {
  console.warn(error);
  const isFull = error instanceof TakeWriteError && error.reason === 'full';
  if (isFull) return `This ${deviceWord()} is full. Delete takes or other files, then try again.`;
  return `The recording could not start on this ${deviceWord()}. Reload Callboard and try again.`;
}

/**
 * Records takes, one at a time. A take that is running when the component goes is sealed.
 * @param audition what they are recorded for
 */
export function useTake(audition: Take['audition'] | null): TakeControl {
  const { db } = useAccount();
  const [phase, setPhase] = useState<Phase>(IDLE);
  const [message, setMessage] = useState<string | null>(null);
  const recording = useRef<Recording | null>(null);
  const cancelCountIn = useRef<() => void>(undefined);
  useBusyWhile(phase.name !== 'idle');

  const finish = async (running: Recording, cleanUp: () => void): Promise<void> => {
    const { end, seconds } = await running.done;
    cleanUp();
    recording.current = null;
    if (end !== 'person') setMessage(formatEnd(end, seconds));
    else if (seconds === null) setMessage('Nothing was recorded. Let the take run for a second.');
    setPhase(IDLE);
  };
  const record = async (stream: MediaStream) => {
    const mime = chooseType();
    if (mime === null) return setPhase(IDLE);
    setPhase({ name: 'saving' });
    try {
      const running = await startRecording(db, stream, mime, audition);
      recording.current = running;
      const release = keepAwake();
      const watch = new AbortController();
      const handleTrouble = (reason: Trouble) => {
        setPhase({ name: 'saving' });
        running.stop(reason);
      };
      setPhase({ name: 'recording', startedAt: performance.now() });
      watchTrouble(stream, handleTrouble, watch.signal);
      await finish(running, () => {
        release();
        watch.abort();
      });
    } catch (error) {
      setMessage(explainRefusal(error));
      setPhase(IDLE);
    }
  };
  const stop = async (): Promise<void> => {
    cancelCountIn.current?.();
    const running = recording.current;
    if (running === null) return setPhase(IDLE);
    setPhase({ name: 'saving' });
    running.stop('person');
    await running.done;
  };
  const leave = useEffectEvent(() => {
    cancelCountIn.current?.();
    recording.current?.stop('person');
  });
  useEffect(() => () => leave(), []);
  return {
    phase,
    message,
    start: (stream, hasCountIn) => {
      if (phase.name !== 'idle') return;
      setMessage(null);
      if (!hasCountIn) return void record(stream);
      cancelCountIn.current = countIn(stream, {
        onCount: (left) => setPhase({ name: 'counting', left }),
        onDone: () => void record(stream),
        onTrouble: (reason) => {
          setMessage(formatEnd(reason, null));
          setPhase(IDLE);
        },
      });
    },
    stop,
  };
}
