/** Solves a challenge beside the page, so that typing stays smooth on a slow phone. */
import type { Challenge } from '#contract/records/registration.ts';
import { solveChallenge } from './solve-challenge.ts';

addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  void solveChallenge(data).then(
    (solved) => postMessage(solved),
    () => postMessage(null),
  );
});
