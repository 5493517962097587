import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import {
  type ConversationView,
  messagesBetween,
  newestSeq,
  type PendingMessage,
  pendingMessages,
} from '#db/messages.ts';
import { observeQuery } from '#session/store.ts';
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

/** What the server is asked for at once. */
const PAGE = 50;
/** How far from an end the next step is drawn, in heights of the list. */
const AHEAD = 1.5;
/** Closer to the end than this the list stays at its end, CSS pixels. */
const NEAR_PX = 60;

interface Shown extends MessageWindow {
  pending: readonly PendingMessage[];
  /** The number of the newest message; 0 where there is none. */
  newest: number;
  /** An end that cannot be had now: older messages are not on this device, and nobody answers. */
  isCut: boolean;
}

export interface Thread extends Partial<Shown> {
  /** The list that scrolls. */
  list: RefObject<HTMLDivElement | null>;
  isReady: boolean;
  /** The end is in sight. */
  isAtBottom: boolean;
  jumpTo: (seq: number) => Promise<boolean>;
  jumpToNewest: () => Promise<void>;
  /** Tries again for what could not be had. */
  retry: () => void;
}

/** Of the window, what is never the list's: the line above it, and the one to type in, CSS pixels. */
const FRAME_PX = 120;
const windowRoom = (): Viewport => ({ width: innerWidth, height: innerHeight - FRAME_PX });

const openedWith = ({ messages, pending }: PrefetchedThread): Shown => ({
  messages: takeStep(takeContiguous(messages, 'end'), 'end', windowRoom()),
  isAtEnd: true,
  pending,
  newest: messages.at(-1)?.seq ?? 0,
  isCut: false,
});

/** The first message in sight, and how far below the list's upper edge it begins. */
function anchorOf(list: HTMLElement): { key: string; top: number } | null {
  const edge = list.getBoundingClientRect().top;
  for (const row of list.querySelectorAll<HTMLElement>('[data-key]')) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > edge) return { key: row.dataset.key!, top: top - edge };
  }
  return null;
}

function restore(list: HTMLElement, anchor: { key: string; top: number } | null): void {
  const row = anchor && list.querySelector<HTMLElement>(`[data-key="${CSS.escape(anchor.key)}"]`);
  if (!row) return;
  list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - anchor.top;
}

/**
 * A conversation as its list shows it, however long: only a part of it is drawn, and grows where the person scrolls to. What
 * is in sight stays where it is while that happens.
 */
export function useThread(view: ConversationView): Thread {
  const { db, engine } = useAccount();
  // Where it is opened, not where it goes on: what is said later comes by itself.
  const [opening] = useState(view);
  const { id, connectionId } = opening;
  const list = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(() => {
    const here = getPrefetchedThread(db, opening);
    return here && openedWith(here);
  });
  const [isAtBottom, setIsAtBottom] = useState(true);
  const state = useRef({ shown, mayFill: false, isBusy: false, isAtBottom: true, left: false });

  const source = useCallback(
    (): MessageSource => ({
      between: (low, high) => messagesBetween(db, id, low, high),
      fetch: (side) => engine.fetchHistory({ id, connectionId }, side, PAGE),
    }),
    [db, engine, id, connectionId],
  );

  /** Draws another part, and keeps in place what is in sight; at the end, the end. */
  const show = useCallback((next: Shown, at: 'same' | 'end' | 'start' = 'same') => {
    const element = list.current;
    const anchor = element && at === 'same' && !state.current.isAtBottom ? anchorOf(element) : null;
    state.current.shown = next;
    flushSync(() => setShown(next));
    if (!element) return;
    if (at === 'start') element.scrollTop = 0;
    else if (at === 'end' || (state.current.isAtBottom && next.isAtEnd)) element.scrollTop = element.scrollHeight;
    else restore(element, anchor);
  }, []);

  /** Resolves once what is in sight is painted: until then nothing is drawn around it. */
  const painted = useCallback(async () => {
    state.current.mayFill = false;
    await new Promise<void>((resolve) => void whenPainted(resolve));
    state.current.mayFill = true;
  }, []);

  /** Draws what is wanted around where the person is; one step after the other, each in a turn of its own. */
  const fill = useCallback(async () => {
    const now = state.current;
    if (now.isBusy) return;
    now.isBusy = true;
    try {
      for (;;) {
        const element = list.current;
        const before = now.shown;
        if (!element || !before || now.left || !now.mayFill) return;
        const ahead = element.clientHeight * AHEAD;
        const below = element.scrollHeight - element.scrollTop - element.clientHeight;
        const low = before.messages[0]?.seq ?? 1;
        const wantsOlder = element.scrollTop < ahead && low > 1 && !before.isCut;
        const wantsNewer = !before.isAtEnd && below < ahead;
        if (!wantsOlder && !wantsNewer) return;
        const next = wantsOlder
          ? await extendToOlder(source(), before)
          : await extendToNewer(source(), before, before.newest);
        if (now.left || now.shown !== before) continue;
        show({ ...before, ...(next ?? {}), isCut: next === null });
        if (next === null) return;
        // The browser draws this one before the next is begun.
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    } finally {
      now.isBusy = false;
    }
  }, [show, source]);

  // Before the page is painted: what was read beforehand comes with it.
  useLayoutEffect(() => {
    const now = state.current;
    now.left = false;
    if (now.shown && list.current) list.current.scrollTop = list.current.scrollHeight;
    let endWatch: (() => void) | null = null;
    // One after the other: what is said while a step is under way comes with the next look.
    let queue = Promise.resolve();
    const take = (newest: number, pending: readonly PendingMessage[]) =>
      (queue = queue.then(async () => {
        const before = now.shown;
        if (now.left || before === null) return;
        let part: MessageWindow | null = await refreshWindow(source(), before);
        if (before.isAtEnd && newest > before.newest) {
          part = await extendToNewer(source(), part, newest);
          // Much was said at once: who reads at the end sees its end.
          if (part && !part.isAtEnd && now.isAtBottom) part = await loadNewestWindow(source(), newest, windowRoom());
        }
        if (now.left) return;
        show({ ...(part ?? before), pending, newest, isCut: before.isCut });
        void fill().catch(reportError);
      }));
    const open = async () => {
      if (!now.shown) {
        const screen = await prefetchThread(db, opening);
        if (now.left) return;
        show(openedWith(screen), 'end');
      }
      await painted();
      if (now.left) return;
      const read = async (on: typeof db) => Promise.all([newestSeq(on, id), pendingMessages(on, id)]);
      endWatch = observeQuery(db, read, ([seq, waiting]) => void take(seq, waiting).catch(reportError));
    };
    open().catch(reportError);
    return () => {
      now.left = true;
      endWatch?.();
    };
  }, [db, id, opening, source, show, painted, fill]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const look = () => {
      const below = element.scrollHeight - element.scrollTop - element.clientHeight;
      const isNear = below < NEAR_PX && (state.current.shown?.isAtEnd ?? true);
      if (isNear !== state.current.isAtBottom) {
        state.current.isAtBottom = isNear;
        setIsAtBottom(isNear);
      }
      void fill().catch(reportError);
    };
    element.addEventListener('scroll', look, { passive: true });
    // A keyboard that opens, or a picture that arrives, must not push the end out of sight.
    const sizes = new ResizeObserver(() => {
      if (state.current.isAtBottom) element.scrollTop = element.scrollHeight;
    });
    sizes.observe(element);
    if (element.firstElementChild) sizes.observe(element.firstElementChild);
    return () => {
      element.removeEventListener('scroll', look);
      sizes.disconnect();
    };
  }, [fill]);

  return {
    ...shown,
    list,
    isReady: shown !== null,
    isAtBottom,
    async jumpTo(seq) {
      const { shown: before } = state.current;
      if (!before) return false;
      const part = await loadWindowAt(source(), seq, before.newest, windowRoom());
      if (!part || state.current.left) return false;
      state.current.isAtBottom = false;
      setIsAtBottom(false);
      show({ ...state.current.shown!, ...part, isCut: false }, 'start');
      list.current
        ?.querySelector(`[data-seq="${seq}"]`)
        ?.scrollIntoView({ block: seq === 1 ? 'start' : 'center', behavior: 'instant' });
      void painted().then(fill).catch(reportError);
      return true;
    },
    async jumpToNewest() {
      const { shown: before } = state.current;
      if (!before) return;
      const part = before.isAtEnd ? before : await loadNewestWindow(source(), before.newest, windowRoom());
      state.current.isAtBottom = true;
      setIsAtBottom(true);
      show({ ...state.current.shown!, ...part }, 'end');
      void painted().then(fill).catch(reportError);
    },
    retry() {
      if (!state.current.shown) return;
      show({ ...state.current.shown, isCut: false });
      void fill().catch(reportError);
    },
  };
}
