import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { clockText, dayText } from '#lib/dates.ts';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { useBusyWhile } from '#ui/busy.ts';
import { CUE_MAX_MINUTES, saveCue } from './cue.ts';
import { type CueRecording, recordCue } from './record-cue.ts';

interface CueRecorder {
  /** When it started, as `performance.now()`; null while nothing is being recorded. */
  startedAt: number | null;
  error: string | null;
  start(stream: MediaStream): void;
  stop(): void;
}

/** Records the other person's lines by the microphone of the booth. They end when the component goes. */
export function useCueRecorder(auditionId: string | null): CueRecorder {
  const { db } = useAccount();
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const running = useRef<CueRecording | null>(null);
  useBusyWhile(startedAt !== null);
  const stop = () => running.current?.stop();
  const leave = useEffectEvent(stop);
  useEffect(() => () => leave(), []);

  const record = async (stream: MediaStream) => {
    const savedAt = Date.now();
    const name = `Recorded ${dayText(new Date(savedAt).toISOString())}, ${clockText(savedAt)}`;
    try {
      const save = (sound: Blob) => saveCue(db, auditionId, { name, sound, savedAt });
      running.current = recordCue(stream, save, CUE_MAX_MINUTES * 60_000);
      setStartedAt(performance.now());
      await running.current.done;
    } catch (thrown) {
      setError(toErrorText(thrown, 'The lines could not be recorded. Choose a sound file instead.'));
    } finally {
      running.current = null;
      setStartedAt(null);
    }
  };
  return {
    startedAt,
    error,
    start: (stream) => {
      if (running.current !== null) return;
      setError(null);
      void record(stream);
    },
    stop,
  };
}
