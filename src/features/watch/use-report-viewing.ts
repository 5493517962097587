import { useEffect, useEffectEvent, useRef } from 'react';

/** How much is watched between two reports, in seconds. The first says that the tape was watched at all. */
const FIRST_SECONDS = 3;
const NEXT_SECONDS = 10;
/** What the player skips over, or stalls for, was not watched. */
const MAX_STEP_SECONDS = 4;

/**
 * Tells how long a take was played in view: after three seconds, then from time to time, and when the player closes.
 * @returns called at each step of the player; the time is that of the film, so that a faster speed watches more of it
 */
export function useReportViewing(tell: (seconds: number) => void): (player: HTMLVideoElement) => void {
  const state = useRef({ at: 0, seconds: 0, isTold: false });
  const report = () => {
    const { seconds } = state.current;
    state.current = { ...state.current, seconds: 0, isTold: true };
    tell(Math.round(seconds * 10) / 10);
  };
  const finish = useEffectEvent(() => {
    if (state.current.isTold && state.current.seconds >= 1) report();
  });
  useEffect(() => () => finish(), []);
  return (player) => {
    const { current } = state;
    const step = player.currentTime - current.at;
    current.at = player.currentTime;
    if (player.paused || document.visibilityState !== 'visible' || step <= 0 || step > MAX_STEP_SECONDS) return;
    current.seconds += step;
    if (current.seconds >= (current.isTold ? NEXT_SECONDS : FIRST_SECONDS)) report();
  };
}
