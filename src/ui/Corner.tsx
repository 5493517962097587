import type { ReactNode } from 'react';

/** Over a picture a button stands on a dark round: what it lies on may be of any colour. */
export function Corner({ isOver, children }: { isOver: boolean; children: ReactNode }) {
  return isOver ? (
    <span className="grid size-8 place-items-center rounded-full bg-black/60 text-white">{children}</span>
  ) : (
    children
  );
}
