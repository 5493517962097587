import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { type ConversationView, type PendingMessage, pendingMessages } from '#db/conversations.ts';
import { messagesBetween, newestSeq } from '#db/messages.ts';
import { observeQuery } from '#open-store/store.ts';
import { useAccount } from '#session/session.tsx';
import { whenPainted } from '#ui/when-painted.ts';
import { type PrefetchedThread, getPrefetchedThread, prefetchThread } from './prefetch-thread.ts';
import {
  extendToNewer,
  loadNewestWindow,
  extendToOlder,
  takeStep,
  loadWindowAt,
  refreshWindow,
  type Viewport,
  takeContiguous,
  type MessageSource,
  type MessageWindow,
} from './message-window.ts';

/** Messages in one request for the history. */
const FETCH_SIZE = 50;
/** How close to an end of the window the next step is rendered, in heights of the list. */
const OVERSCAN_HEIGHTS = 1.5;
/** Within this distance of the end, the list stays scrolled to its end. */
const BOTTOM_THRESHOLD_PX = 60;

interface RenderedThread extends MessageWindow {
  pending: readonly PendingMessage[];
  /** The `seq` of the newest message; 0 if there is none. */
  newest: number;
  /** Messages before or after the window are not on this device, and the server could not be reached. */
  isEarlierMissing: boolean;
  isLaterMissing: boolean;
}

export interface Thread extends Partial<RenderedThread> {
  /** The scrolling element. */
  list: RefObject<HTMLDivElement | null>;
  isReady: boolean;
  /** The end of the conversation is visible. */
  isAtBottom: boolean;
  /** Scrolls to a message. Resolves with false if it is unavailable. */
  jumpTo: (seq: number) => Promise<boolean>;
  jumpToNewest: () => Promise<void>;
  /** Requests unavailable messages again. */
  retry: () => void;
}

/** Height of the header and the message field, which the list cannot use. */
const CHROME_PX = 120;
const getViewport = (): Viewport => ({ width: innerWidth, height: innerHeight - CHROME_PX });

const NOTHING_MISSING = { isEarlierMissing: false, isLaterMissing: false };

const toRenderedThread = ({ messages, pending }: PrefetchedThread): RenderedThread => ({
  messages: takeStep(takeContiguous(messages, 'end'), 'end', getViewport()),
  isAtEnd: true,
  pending,
  newest: messages.at(-1)?.seq ?? 0,
  ...NOTHING_MISSING,
});

/** Returns the first visible message and its distance from the upper edge of the list, in CSS pixels. */
function getScrollAnchor(list: HTMLElement): { key: string; top: number } | null {
  const edge = list.getBoundingClientRect().top;
  for (const row of list.querySelectorAll<HTMLElement>('[data-key]')) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { key: row.dataset.key!, top: top - edge };
  }
  return null;
}

/** Scrolls so that the message is at the same distance from the upper edge again. */
function restoreScroll(list: HTMLElement, anchor: { key: string; top: number } | null): void {
  const row = anchor && list.querySelector<HTMLElement>(`[data-key="${CSS.escape(anchor.key)}"]`);
  if (!row) return;
  list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - anchor.top;
}

/**
 * Renders a window of a conversation, however long it is, and extends the window where the user scrolls. Visible messages keep
 * their place while that happens.
 */
export function useThread(view: ConversationView): Thread {
  const { db, engine } = useAccount();
  // The state at opening. Later messages arrive through the query below.
  const [opening] = useState(view);
  const { id, connectionId } = opening;
  const list = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(() => {
    const prefetched = getPrefetchedThread(db, opening);
    return prefetched && toRenderedThread(prefetched);
  });
  const [isAtBottom, setIsAtBottom] = useState(true);
  const state = useRef({ shown, canExtend: false, isBusy: false, isAtBottom: true, isUnmounted: false });

  const source = useCallback(
    (): MessageSource => ({
      between: (low, high) => messagesBetween(db, id, low, high),
      fetch: (side) => engine.fetchHistory({ id, connectionId }, side, FETCH_SIZE),
    }),
    [db, engine, id, connectionId],
  );

  /** Renders a new window. Keeps the visible messages in place, or stays at the end if the list is there. */
  const show = useCallback((next: RenderedThread, at: 'same' | 'end' | 'start' = 'same') => {
    const element = list.current;
    const anchor = element && at === 'same' && !state.current.isAtBottom ? getScrollAnchor(element) : null;
    state.current.shown = next;
    flushSync(() => setShown(next));
    if (!element) return;
    if (at === 'start') element.scrollTop = 0;
    else if (at === 'end' || (state.current.isAtBottom && next.isAtEnd)) element.scrollTop = element.scrollHeight;
    else restoreScroll(element, anchor);
  }, []);

  /** Resolves after the next paint. Until then, the window is not extended. */
  const waitForPaint = useCallback(async () => {
    state.current.canExtend = false;
    await new Promise<void>((resolve) => void whenPainted(resolve));
    state.current.canExtend = true;
  }, []);

  /** Extends the window until it covers the surroundings of the scroll position, one step per frame. */
  const extend = useCallback(async () => {
    const now = state.current;
    if (now.isBusy) return;
    now.isBusy = true;
    try {
      for (;;) {
        const element = list.current;
        const before = now.shown;
        if (!element || !before || now.isUnmounted || !now.canExtend) return;
        const overscanPx = element.clientHeight * OVERSCAN_HEIGHTS;
        const below = element.scrollHeight - element.scrollTop - element.clientHeight;
        const low = before.messages[0]?.seq ?? 1;
        const needsOlder = element.scrollTop < overscanPx && low > 1 && !before.isEarlierMissing;
        const needsNewer = !before.isAtEnd && below < overscanPx && !before.isLaterMissing;
        if (!needsOlder && !needsNewer) return;
        const next = needsOlder
          ? await extendToOlder(source(), before)
          : await extendToNewer(source(), before, before.newest);
        if (now.isUnmounted || now.shown !== before) continue;
        const end = needsOlder ? 'isEarlierMissing' : 'isLaterMissing';
        show({ ...before, ...(next ?? {}), [end]: next === null });
        if (next === null) return;
        // Let the browser paint this step before the next one.
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    } finally {
      now.isBusy = false;
    }
  }, [show, source]);

  // A layout effect, so that a prefetched thread is scrolled to its end before the first paint.
  useLayoutEffect(() => {
    const now = state.current;
    now.isUnmounted = false;
    if (now.shown && list.current) list.current.scrollTop = list.current.scrollHeight;
    let unsubscribe: (() => void) | null = null;
    // Updates run one after the other.
    let queue = Promise.resolve();
    const update = (newest: number, pending: readonly PendingMessage[]) =>
      (queue = queue.then(async () => {
        for (;;) {
          const before = now.shown;
          if (now.isUnmounted || before === null) return;
          let next: MessageWindow | null = await refreshWindow(source(), before);
          if (before.isAtEnd && newest > before.newest) {
            next = await extendToNewer(source(), next, newest);
            // More messages arrived than one step holds: a user at the end sees the newest ones.
            if (next && !next.isAtEnd && now.isAtBottom) next = await loadNewestWindow(source(), newest, getViewport());
          }
          if (now.isUnmounted) return;
          // The user jumped elsewhere, or the window was extended: this result belongs to a window that is gone.
          if (now.shown !== before) continue;
          const { isEarlierMissing, isLaterMissing } = before;
          show({ ...(next ?? before), pending, newest, isEarlierMissing, isLaterMissing });
          void extend().catch(reportError);
          return;
        }
      }));
    const open = async () => {
      if (!now.shown) {
        const prefetched = await prefetchThread(db, opening);
        if (now.isUnmounted) return;
        show(toRenderedThread(prefetched), 'end');
      }
      await waitForPaint();
      if (now.isUnmounted) return;
      const read = async (on: typeof db) => Promise.all([newestSeq(on, id), pendingMessages(on, id)]);
      unsubscribe = observeQuery(db, read, ([seq, waiting]) => void update(seq, waiting).catch(reportError));
    };
    open().catch(reportError);
    return () => {
      now.isUnmounted = true;
      unsubscribe?.();
    };
  }, [db, id, opening, source, show, waitForPaint, extend]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const handleScroll = () => {
      const below = element.scrollHeight - element.scrollTop - element.clientHeight;
      const isNear = below < BOTTOM_THRESHOLD_PX && (state.current.shown?.isAtEnd ?? true);
      if (isNear !== state.current.isAtBottom) {
        state.current.isAtBottom = isNear;
        setIsAtBottom(isNear);
      }
      void extend().catch(reportError);
    };
    element.addEventListener('scroll', handleScroll, { passive: true });
    // An on-screen keyboard or a loaded image must not push the end out of view.
    const resizeObserver = new ResizeObserver(() => {
      if (state.current.isAtBottom) element.scrollTop = element.scrollHeight;
    });
    resizeObserver.observe(element);
    if (element.firstElementChild) resizeObserver.observe(element.firstElementChild);
    return () => {
      element.removeEventListener('scroll', handleScroll);
      resizeObserver.disconnect();
    };
  }, [extend]);

  return {
    ...shown,
    list,
    isReady: shown !== null,
    isAtBottom,
    async jumpTo(seq) {
      const { shown: before } = state.current;
      if (!before) return false;
      const next = await loadWindowAt(source(), seq, before.newest, getViewport());
      if (!next || state.current.isUnmounted) return false;
      state.current.isAtBottom = false;
      setIsAtBottom(false);
      show({ ...state.current.shown!, ...next, ...NOTHING_MISSING }, 'start');
      list.current
        ?.querySelector(`[data-seq="${seq}"]`)
        ?.scrollIntoView({ block: seq === 1 ? 'start' : 'center', behavior: 'instant' });
      void waitForPaint().then(extend).catch(reportError);
      return true;
    },
    async jumpToNewest() {
      const { shown: before } = state.current;
      if (!before) return;
      const next = before.isAtEnd ? before : await loadNewestWindow(source(), before.newest, getViewport());
      state.current.isAtBottom = true;
      setIsAtBottom(true);
      show({ ...state.current.shown!, ...next, isLaterMissing: false }, 'end');
      void waitForPaint().then(extend).catch(reportError);
    },
    retry() {
      if (!state.current.shown) return;
      show({ ...state.current.shown, ...NOTHING_MISSING });
      void extend().catch(reportError);
    },
  };
}
