/**
 * Computes the waveform peaks of a sound: `steps` numbers from 0 to 1, rounded to hundredths. They are normalized to
 * the loudest one, so that a quiet recording shows its shape too. All are 0 for silence.
 * @param channels samples from -1 to 1, all of the same length
 */
export function computePeaks(channels: readonly Float32Array[], steps: number): number[] {
  const length = channels[0]?.length ?? 0;
  const peaks = Array.from({ length: steps }, (_, step) => {
    const from = Math.floor((step * length) / steps);
    // If there are fewer samples than steps, several steps show the same sample.
    const to = Math.max(from + 1, Math.floor(((step + 1) * length) / steps));
    let peak = 0;
    for (const samples of channels) {
      for (let at = from; at < to && at < length; at += 1) peak = Math.max(peak, Math.abs(samples[at]!));
    }
    return peak;
  });
  const top = Math.max(...peaks);
  return peaks.map((peak) => (top > 0 ? Math.round((peak / top) * 100) / 100 : 0));
}
