import { useEffect, useRef, useState } from 'react';
import { useQuery } from '#shared/queries/use-query.ts';
import { toast } from '#ui/Toast.tsx';
import { type Cue, readCue } from './cue.ts';

interface CueControl {
  cue: Cue | null;
  /** Text and lines stand still. */
  isPaused: boolean;
  toggle(): void;
}

/** Lets the play button of a headset or a keyboard control the lines, and the picture of the lock screen say what plays. */
function listenToHeadset(toggle: (isPaused: boolean) => void): () => void {
  const { mediaSession } = navigator as Partial<Navigator>;
  if (!mediaSession) return () => undefined;
  mediaSession.metadata = new MediaMetadata({ title: 'The other lines' });
  mediaSession.setActionHandler('play', () => toggle(false));
  mediaSession.setActionHandler('pause', () => toggle(true));
  return () => {
    mediaSession.metadata = null;
    mediaSession.setActionHandler('play', null);
    mediaSession.setActionHandler('pause', null);
  };
}

/**
 * Plays the other person's lines while a take is running, from their beginning, and pauses them together with the prompter.
 * @param auditionId the audition that takes are recorded for; null for the booth alone
 * @param isRunning a take is running
 */
export function useCue(auditionId: string | null, isRunning: boolean): CueControl {
  const cue = useQuery((db) => readCue(db, auditionId), [auditionId]) ?? null;
  const [isPaused, setIsPaused] = useState(false);
  const player = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    if (cue === null || !isRunning) return;
    const address = URL.createObjectURL(cue.sound);
    const audio = new Audio(address);
    player.current = audio;
    const unlisten = listenToHeadset(setIsPaused);
    return () => {
      unlisten();
      audio.pause();
      audio.removeAttribute('src');
      audio.load();
      URL.revokeObjectURL(address);
      player.current = null;
    };
  }, [cue, isRunning]);
  useEffect(() => {
    const audio = player.current;
    // Playing would begin again.
    if (audio === null || audio.ended) return;
    if (isPaused) return audio.pause();
    audio.play().catch((error: unknown) => {
      // It was paused, or the take ended, before it had started.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      console.warn(error);
      toast({ text: 'The other lines could not be played. The take goes on.' });
    });
  }, [cue, isRunning, isPaused]);
  // Each take begins with text and lines that move.
  const [wasRunning, setWasRunning] = useState(isRunning);
  if (wasRunning !== isRunning) {
    setWasRunning(isRunning);
    setIsPaused(false);
  }
  return { cue, isPaused, toggle: () => setIsPaused((paused) => !paused) };
}
