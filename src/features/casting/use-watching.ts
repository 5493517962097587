import { useCallback, useState } from 'react';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import type { Taped } from './taped.ts';

interface Watching {
  /** The tape in the player; undefined while it is closed. */
  watched: Taped | undefined;
  /** Opens the player, or shows another tape in it. Keeps its identity. */
  open: (tape: Taped) => void;
  /** Shows another tape in the player. */
  show: (tape: Taped) => void;
  close: () => void;
}

const PARAM = 'tape';

/** Which tape is watched. The address has the first one, so that Back closes the player; going on to others must not fill the history with pages. */
export function useWatching(tapes: readonly Taped[]): Watching {
  const { isOpen, value, open: openFirst, close } = useSheetParam(PARAM);
  const [shownKey, setShownKey] = useState<string | null>(null);
  if (!isOpen && shownKey !== null) setShownKey(null);
  const show = useCallback(({ key }: Taped) => setShownKey(key), []);
  const open = useCallback(
    // Asked only now, so that opening the player does not draw all tiles again.
    (tape: Taped) => (new URLSearchParams(location.search).has(PARAM) ? show(tape) : openFirst(tape.id)),
    [show, openFirst],
  );
  const watched = tapes.find(({ key }) => key === shownKey) ?? tapes.find(({ id }) => id === value);
  return { watched: isOpen ? watched : undefined, open, show, close };
}
