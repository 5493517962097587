import type { ReactNode } from 'react';
import { TAKE_STRIP } from '#contract/casting/take-strip.ts';

const TILE_SHAPE = 16 / 9;

interface StripFrameProps {
  /** Which one, from 0. */
  frame: number;
  /** The size of the take, if its device knew it. */
  take: { width: number | null; height: number | null };
  /** The whole strip: a picture as wide as its place, and as high as it likes. */
  children: ReactNode;
}

/** Fills a tile of 16:9, which hides what is outside of it, with one frame of a strip. */
export function StripFrame({ frame, take: { width, height }, children }: StripFrameProps) {
  const shape = width && height ? width / height : TILE_SHAPE;
  const { frames } = TAKE_STRIP;
  return (
    <span
      className="absolute top-1/2 left-1/2 block max-w-none"
      style={{
        // A frame is as wide as the tile, or wider, so that it is never lower.
        width: `${100 * frames * Math.max(1, shape / TILE_SHAPE)}%`,
        transform: `translate(${(-100 * (frame + 0.5)) / frames}%, -50%)`,
      }}
      data-frame={frame}
      aria-hidden
    >
      {children}
    </span>
  );
}
