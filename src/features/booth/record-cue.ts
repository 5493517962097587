/** As little as a crash or a closed tab may cost of the lines. They are small, so storing all of them again costs little. */
const SLICE_MS = 5000;
const SOUND_BITS = 64_000;

/**
 * What recorders offer, best first. The lines are played on this device alone, and must play as far as they were stored when the browser ended:
 * of an MP4, Chromium's first slice has a tenth of a second that can be played, whereas each slice of a WebM has all of its own.
 */
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];

export interface CueRecording {
  /** Safe to call more than once. */
  stop(): void;
  /** Resolves once all that was recorded is stored. Rejects with what `save` threw, after which nothing more is recorded. */
  done: Promise<void>;
}

/**
 * Records a microphone.
 * @param save stores all that was recorded so far; called every five seconds and at the end
 * @param maxMs when the recording ends by itself
 * @throws DOMException if this browser cannot record it
 */
export function recordCue(stream: MediaStream, save: (sound: Blob) => Promise<void>, maxMs: number): CueRecording {
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(new MediaStream(stream.getAudioTracks()), {
    ...(mimeType && { mimeType }),
    audioBitsPerSecond: SOUND_BITS,
  });
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  const slices: Blob[] = [];
  let last = Promise.resolve();
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size === 0) return;
    slices.push(data);
    const sound = new Blob(slices, { type: recorder.mimeType.split(';')[0] ?? '' });
    last = last.then(() => save(sound));
    // Whoever waits for the end is told.
    last.catch(stop);
  });
  const timer = setTimeout(stop, maxMs);
  const hasStopped = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve(), { once: true }));
  recorder.start(SLICE_MS);
  return { stop, done: hasStopped.then(() => last).finally(() => clearTimeout(timer)) };
}
