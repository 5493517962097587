/**
 * The loudness of a sound in so many steps from beginning to end, each from 0 to 1 in hundredths; the loudest is 1, so that
 * a quiet recording shows its shape as well. All 0 in silence.
 * @param channels samples from -1 to 1, all of one length
 */
export function computePeaks(channels: readonly Float32Array[], steps: number): number[] {
  const length = channels[0]?.length ?? 0;
  const loudest = Array.from({ length: steps }, (_, step) => {
    const from = Math.floor((step * length) / steps);
    // A sound shorter than the steps has some of them show one sample.
    const to = Math.max(from + 1, Math.floor(((step + 1) * length) / steps));
    let most = 0;
    for (const samples of channels) {
      for (let at = from; at < to && at < length; at += 1) most = Math.max(most, Math.abs(samples[at]!));
    }
    return most;
  });
  const top = Math.max(...loudest);
  return loudest.map((most) => (top > 0 ? Math.round((most / top) * 100) / 100 : 0));
}
