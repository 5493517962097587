import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { OpenedLink, WatchedLink } from '#contract/records/links.ts';
import { WATCH_SESSION_HEADER } from '#contract/records/links.ts';
import { WATCH_CALLS } from '#contract/watch-calls.ts';
import type { AppError } from '#net/app-error.ts';
import { call } from '#net/client.ts';

/** What stands behind the # of a link: its token, and whether it has a code. */
const FRAGMENT = /^#([\da-f]{32})(-code)?$/;
/** How long before the addresses of the takes end new ones are fetched. */
const RENEW_MS = 5 * 60_000;
/** How often the page asks whether the link still works, while something plays and while nothing does. */
const PLAYING_CHECK_MS = 1000;
const IDLE_CHECK_MS = 15_000;

export type WatchState =
  /** `isAgain`: the page was open before. What it had opened has ended, or the link has. */
  | { status: 'asking'; isWrong: boolean; isBusy: boolean; isAgain?: boolean }
  | { status: 'loading' }
  | { status: 'ended' }
  /** It could not be asked: there is no connection, or the server is busy. */
  | { status: 'failed'; error: AppError }
  | { status: 'open'; link: WatchedLink };

export interface Watching {
  state: WatchState;
  enterCode: (code: string) => void;
  retry: () => void;
  /** Asks for the address of a take anew, and whether the link still works. Resolves to null if there is no answer. */
  renew: (takeId: string) => Promise<string | null>;
  /** Says that a take was played in view. */
  tellViewed: (takeId: string, seconds: number) => void;
  setPlaying: (isPlaying: boolean) => void;
}

/**
 * A share link that this page has opened. The session is in memory alone: a page that is opened again opens the link again, and nothing of
 * it stays on the device.
 */
export function useWatchedLink(linkId: string, fragment: string): Watching {
  const [, token, asksForCode] = FRAGMENT.exec(fragment) ?? [];
  const [state, setState] = useState<WatchState>(() => {
    if (token === undefined) return { status: 'ended' };
    return asksForCode ? { status: 'asking', isWrong: false, isBusy: false } : { status: 'loading' };
  });
  const [isPlaying, setPlaying] = useState(false);
  const session = useRef<string | null>(null);
  const reopening = useRef<Promise<WatchState> | null>(null);
  const params = { linkId };
  const headers = () => ({ [WATCH_SESSION_HEADER]: session.current ?? '' });

  /** @returns what the page shows then */
  const open = async (code: string | null): Promise<WatchState> => {
    const answer = await call<OpenedLink>(WATCH_CALLS.open, { params, body: { token, code }, as: null });
    if (answer.ok) {
      session.current = answer.data.session;
      return { status: 'open', link: answer.data };
    }
    const isRefused = answer.error.status === 404 || answer.error.status === 422;
    if (!isRefused) return { status: 'failed', error: answer.error };
    return code === null ? { status: 'ended' } : { status: 'asking', isWrong: true, isBusy: false };
  };
  /** After a refusal. What a page has opened ends after some hours, and opening it again tells whether the link has ended as well. */
  const reopen = async (): Promise<WatchedLink | null> => {
    const askForCode = { status: 'asking', isWrong: false, isBusy: false, isAgain: true } as const;
    // Several requests may be refused at the same time.
    reopening.current ??= asksForCode ? Promise.resolve(askForCode) : open(null);
    const next = await reopening.current;
    reopening.current = null;
    setState(next);
    return next.status === 'open' ? next.link : null;
  };
  const read = async (): Promise<WatchedLink | null> => {
    const asked = session.current;
    const answer = await call<WatchedLink>(WATCH_CALLS.read, { params, headers: headers(), as: null });
    if (answer.ok) {
      setState({ status: 'open', link: answer.data });
      return answer.data;
    }
    if (answer.error.status !== 404) return null;
    // Opened again while this was asked.
    return asked === session.current ? reopen() : read();
  };
  const check = useEffectEvent(async () => {
    // A hidden page goes on playing what the browser has already.
    if (document.visibilityState !== 'visible' && !isPlaying) return;
    const asked = session.current;
    const answer = await call(WATCH_CALLS.check, { params, headers: headers(), as: null });
    if (!answer.ok && answer.error.status === 404 && asked === session.current) await reopen();
  });
  const tellViewed = (takeId: string, seconds: number) => {
    const body = { take_id: takeId, seconds };
    // What is lost here is some seconds in the list of the owner.
    void call(WATCH_CALLS.viewed, { params, headers: headers(), body, as: null });
  };

  const openAtStart = useEffectEvent(() => {
    if (state.status === 'loading') void open(null).then(setState);
  });
  useEffect(() => openAtStart(), []);

  const isOpen = state.status === 'open';
  const endsAt = isOpen ? Date.parse(state.link.urls_expire_at) : 0;
  const renewNow = useEffectEvent(read);
  useEffect(() => {
    if (endsAt === 0) return;
    const timer = setTimeout(() => void renewNow(), Math.max(30_000, endsAt - Date.now() - RENEW_MS));
    return () => clearTimeout(timer);
  }, [endsAt]);
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => void check(), isPlaying ? PLAYING_CHECK_MS : IDLE_CHECK_MS);
    const handleShown = () => void check();
    document.addEventListener('visibilitychange', handleShown);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', handleShown);
    };
  }, [isOpen, isPlaying]);

  return {
    state,
    enterCode: (code) => {
      setState({ status: 'asking', isWrong: false, isBusy: true });
      void open(code).then(setState);
    },
    retry: () => {
      if (asksForCode) return setState({ status: 'asking', isWrong: false, isBusy: false });
      setState({ status: 'loading' });
      void open(null).then(setState);
    },
    renew: async (takeId) => {
      const link = await read();
      const takes = link?.tapes.flatMap((tape) => tape.takes) ?? [];
      return takes.find(({ id }) => id === takeId)?.url ?? null;
    },
    tellViewed,
    setPlaying,
  };
}
