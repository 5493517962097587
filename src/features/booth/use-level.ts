import { useEffect, useState } from 'react';
import { type Level, louder, measureLevel, NO_LEVEL } from './level.ts';

const INTERVAL_MS = 100;
/** The word beside the meter and the warning about silence look back this far. */
const RECENT_MS = 2000;

interface Heard {
  now: Level;
  /** The loudest of the last two seconds; null until they have been heard. */
  recent: Level | null;
}

/** Listens to a stream. Null without one, and where the browser lets no page listen before a tap. */
export function useLevel(stream: MediaStream | null): Heard | null {
  const [heard, setHeard] = useState<Heard | null>(null);
  useEffect(() => {
    if (stream === null || stream.getAudioTracks().length === 0) return;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    // A tenth of a second at 48 kHz has 4,800 samples; the analyser needs a power of two.
    analyser.fftSize = 4096;
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const last: Level[] = [];
    // Some browsers let a page listen only after a tap or a key.
    const control = new AbortController();
    const wake = () => void (context.state === 'suspended' && context.resume().catch(console.info));
    for (const event of ['pointerdown', 'keydown']) document.addEventListener(event, wake, { signal: control.signal });
    const listen = () => {
      if (context.state !== 'running') return;
      analyser.getFloatTimeDomainData(samples);
      const now = measureLevel(samples);
      last.push(now);
      const isFull = last.length > RECENT_MS / INTERVAL_MS;
      if (isFull) last.shift();
      setHeard({ now, recent: isFull ? last.reduce(louder, NO_LEVEL) : null });
    };
    const timer = setInterval(listen, INTERVAL_MS);
    return () => {
      clearInterval(timer);
      control.abort();
      setHeard(null);
      context.close().catch(console.warn);
    };
  }, [stream]);
  return heard;
}
