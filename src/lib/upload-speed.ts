/** The progress of an upload at one moment. */
export interface Sample {
  /** Milliseconds since the epoch. */
  at: number;
  sentBytes: number;
}

const WINDOW_MS = 30_000;

/** The speed of the upload over the last 30 seconds; null while it cannot be measured. */
export function bytesPerSecond(samples: readonly Sample[]): number | null {
  const last = samples.at(-1);
  const first = last && samples.find((sample) => sample.at >= last.at - WINDOW_MS);
  if (!last || !first || last.at - first.at < 1000 || last.sentBytes <= first.sentBytes) return null;
  return ((last.sentBytes - first.sentBytes) / (last.at - first.at)) * 1000;
}

/** Seconds until the upload ends at that speed; null while it cannot be measured. */
export function secondsLeft(samples: readonly Sample[], sizeBytes: number): number | null {
  const speed = bytesPerSecond(samples);
  const last = samples.at(-1);
  return speed === null || !last ? null : Math.max(0, sizeBytes - last.sentBytes) / speed;
}

/** Appends a sample and drops those that are too old to count. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && last.sentBytes === sample.sentBytes) return [...samples];
  return [...samples.filter((each) => each.at >= sample.at - WINDOW_MS), sample];
}
