import { useState } from 'react';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { CompareTapes } from './CompareTapes.tsx';
import { TapePlayer } from './TapePlayer.tsx';
import type { Taped } from './taped.ts';

interface TapeViewerProps {
  /** All tapes of the role. */
  tapes: readonly Taped[];
  /** Those to go through, in their order. */
  listed: readonly Taped[];
  /** The one to start with. */
  current: Taped;
  /** 'Naseem, The Salt Road' */
  title: string;
  /** Whether the person may grade tapes and write notes. */
  canRate: boolean;
  onClose: () => void;
}

/** Watches the tapes of a role one after the other, or two of them side by side. */
export function TapeViewer({ tapes, listed, current, title, canRate, onClose }: TapeViewerProps) {
  const beside = useSheetParam('beside');
  // Kept while they are watched: neither a grade nor a tape that comes in may change which one is next.
  const [keys] = useState(() => {
    const order = listed.map(({ key }) => key);
    return order.includes(current.key) ? order : [current.key, ...order];
  });
  const list = keys.flatMap((key) => tapes.find((tape) => tape.key === key) ?? []);
  // Kept here and not in the address: going on must not fill the history with pages.
  const [shownKey, setShownKey] = useState(current.key);
  const shown = list.find(({ key }) => key === shownKey) ?? current;
  const index = list.indexOf(shown);
  const second = list.find(({ key }) => key === beside.value);
  const shared = { tapes: list, title, canRate };
  if (second) return <CompareTapes {...shared} first={shown} second={second} onClose={beside.close} />;
  const neighbor = list[index + 1] ?? list[index - 1];
  return (
    <TapePlayer
      {...shared}
      index={index}
      onGo={(step) => setShownKey(list[index + step]?.key ?? shown.key)}
      {...(neighbor && { onCompare: () => beside.open(neighbor.key) })}
      onClose={onClose}
    />
  );
}
