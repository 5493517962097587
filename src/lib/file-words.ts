/** 'Headshot_war...' for names over 15 characters: the first 12 and three dots. */
export function shortName(name: string): string {
  const characters = [...name];
  return characters.length > 15 ? `${characters.slice(0, 12).join('')}...` : name;
}

/** '3.20 MB': B, KB, MB or GB with two decimals, 1,024 to the next. */
export function sizeWords(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(2)} ${units[unit]}`;
}

/** How far an upload is: at one moment so many bytes were across. */
export interface Sample {
  at: number;
  sentBytes: number;
}

/**
 * 'about 4 min left at this speed', from the samples of the last half minute; null while nothing can be known.
 */
export function timeLeft(samples: readonly Sample[], sizeBytes: number): string | null {
  const last = samples.at(-1);
  if (!last) return null;
  const first = samples.find((sample) => sample.at >= last.at - 30_000);
  if (!first || last.at - first.at < 1000 || last.sentBytes <= first.sentBytes) return null;
  const perMs = (last.sentBytes - first.sentBytes) / (last.at - first.at);
  const seconds = Math.max(0, (sizeBytes - last.sentBytes) / perMs / 1000);
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 60) return `about ${Math.ceil(seconds / 5) * 5} s left at this speed`;
  if (seconds < 3600) return `about ${Math.round(seconds / 60)} min left at this speed`;
  return 'over an hour left at this speed';
}
