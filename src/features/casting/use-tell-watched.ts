import { useEffect, useEffectEvent, useRef } from 'react';
import { useAccount } from '#session/session.tsx';

/** What counts as watching. */
const LEAST_SECONDS = 3;
/** What the player skips over, or stalls for, was not watched. */
const MAX_STEP_SECONDS = 2;

/**
 * Tells that a tape was watched: after three seconds of playing in view, and the rest when it closes.
 * @returns called at each step of a player
 */
export function useTellWatched(tapeId: string, title: string): (player: HTMLVideoElement) => void {
  const { engine } = useAccount();
  const state = useRef({ at: 0, seconds: 0, isTold: false });
  const tell = () => {
    const seconds = Math.round(state.current.seconds * 10) / 10;
    state.current.seconds = 0;
    engine.act({ type: 'tape', id: tapeId, act: 'viewed', fields: { seconds }, title }).catch(reportError);
  };
  const finish = useEffectEvent(() => {
    if (state.current.isTold && state.current.seconds > 0) tell();
  });
  useEffect(() => () => finish(), []);
  return (player) => {
    const { current } = state;
    const step = player.currentTime - current.at;
    current.at = player.currentTime;
    if (player.paused || document.visibilityState !== 'visible' || step <= 0 || step > MAX_STEP_SECONDS) return;
    current.seconds += step;
    if (current.isTold || current.seconds < LEAST_SECONDS) return;
    current.isTold = true;
    tell();
  };
}
