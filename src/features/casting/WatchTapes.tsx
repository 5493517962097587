import type { ReactNode } from 'react';
import { useIsWide } from '#ui/use-is-wide.ts';
import { Tapes } from './Tapes.tsx';
import { TapeViewer } from './TapeViewer.tsx';
import type { Taped } from './taped.ts';
import { useTapeList } from './use-tape-list.ts';
import { useWatching } from './use-watching.ts';

interface WatchTapesProps {
  tapes: readonly Taped[];
  /** 'Naseem, The Salt Road' */
  title: string;
  /** Whether the person may grade tapes and write notes. */
  canRate: boolean;
  /** Below the list. */
  below: ReactNode;
  /** Where the player stands on a wide screen, while none is open. */
  aside: ReactNode;
}

/**
 * The tapes of a role with their player: beside the list where there is room, otherwise over it. A component of its own, so that going from
 * tape to tape draws nothing else of the page.
 */
export function WatchTapes({ tapes, title, canRate, below, aside }: WatchTapesProps) {
  const isWide = useIsWide();
  const list = useTapeList(tapes);
  const { watched, open, show, close } = useWatching(tapes);
  const isBeside = isWide && watched !== undefined;
  return (
    <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_424px] lg:gap-6">
      <div className="grid min-w-0 grid-cols-1 gap-3">
        <Tapes tapes={tapes} list={list} watched={isBeside ? watched : undefined} onOpen={open} />
        {below}
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-3 lg:sticky lg:top-[76px]">
        {watched && (
          <TapeViewer
            tapes={tapes}
            list={list}
            current={watched}
            title={title}
            canRate={canRate}
            isBeside={isWide}
            onShow={show}
            onClose={close}
          />
        )}
        {!isBeside && aside}
      </div>
    </div>
  );
}
