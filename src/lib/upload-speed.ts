/** How far an upload is: at one moment so many bytes were across. */
export interface Sample {
  /** Milliseconds since the epoch. */
  at: number;
  sentBytes: number;
}

const WINDOW_MS = 30_000;

/** The speed of an upload's last half minute; null while nothing can be known. */
export function bytesPerSecond(samples: readonly Sample[]): number | null {
  const last = samples.at(-1);
  const first = last && samples.find((sample) => sample.at >= last.at - WINDOW_MS);
  if (!last || !first || last.at - first.at < 1000 || last.sentBytes <= first.sentBytes) return null;
  return ((last.sentBytes - first.sentBytes) / (last.at - first.at)) * 1000;
}

/** Seconds an upload still takes at the speed of its last half minute; null while nothing can be known. */
export function secondsLeft(samples: readonly Sample[], sizeBytes: number): number | null {
  const speed = bytesPerSecond(samples);
  const last = samples.at(-1);
  return speed === null || !last ? null : Math.max(0, sizeBytes - last.sentBytes) / speed;
}

/** The samples with one more, without those too old to count. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && last.sentBytes === sample.sentBytes) return [...samples];
  return [...samples.filter((each) => each.at >= sample.at - WINDOW_MS), sample];
}
