import { useState } from 'react';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { CompareTapes } from './CompareTapes.tsx';
import { TapePlayer } from './TapePlayer.tsx';
import type { Taped } from './taped.ts';
import type { TapeList } from './use-tape-list.ts';

interface TapeViewerProps {
  /** All tapes of the role. */
  tapes: readonly Taped[];
  /** Those to go through, in their order. */
  list: TapeList;
  /** The one that is watched. */
  current: Taped;
  /** 'Naseem, The Salt Road' */
  title: string;
  /** Whether the person may grade tapes and write notes. */
  canRate: boolean;
  /** Whether it stands beside the page instead of lying over it. */
  isBeside: boolean;
  onShow: (tape: Taped) => void;
  onClose: () => void;
}

const toKeys = (tapes: readonly Taped[]): string[] => tapes.map(({ key }) => key);

/** Watches the tapes of a role one after the other, or two of them side by side. */
export function TapeViewer({
  tapes,
  list: source,
  current,
  title,
  canRate,
  isBeside,
  onShow,
  onClose,
}: TapeViewerProps) {
  const beside = useSheetParam('beside');
  const { shown, filter, order } = source;
  // Kept while they are watched: neither a grade nor a tape that comes in may change which one is next. Another filter or order, which can be
  // chosen beside the player, does.
  const [{ keys, of }, setKept] = useState({ keys: toKeys(shown), of: `${filter} ${order}` });
  if (of !== `${filter} ${order}`) setKept({ keys: toKeys(shown), of: `${filter} ${order}` });
  else if (!keys.includes(current.key)) setKept({ keys: [current.key, ...keys], of });
  const list = keys.flatMap((key) => tapes.find((tape) => tape.key === key) ?? []);
  const index = list.indexOf(current);
  const second = list.find(({ key }) => key === beside.value);
  const shared = { tapes: list, title, canRate };
  if (index < 0) return null;
  if (second) return <CompareTapes {...shared} first={current} second={second} onClose={beside.close} />;
  const neighbor = list[index + 1] ?? list[index - 1];
  return (
    <TapePlayer
      {...shared}
      index={index}
      isBeside={isBeside}
      onGo={(step) => onShow(list[index + step] ?? current)}
      {...(neighbor && { onCompare: () => beside.open(neighbor.key) })}
      onClose={onClose}
    />
  );
}
