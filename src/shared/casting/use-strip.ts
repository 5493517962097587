import { useRef, useState, type ComponentProps } from 'react';
import { TAKE_STRIP } from '#contract/casting/take-strip.ts';

const LAST = TAKE_STRIP.frames - 1;
/** A finger that moves less has only tapped. */
const DRAG_PX = 8;

const prefersStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The frame at a place of the tile, from 0 at its left edge to 1 at its right. */
export const getFrameAt = (place: number): number => Math.min(LAST, Math.max(0, Math.floor(place * TAKE_STRIP.frames)));

/** The frame after an arrow key. Without a frame yet, forward begins with the first, and back with the last. */
export const getNextFrame = (frame: number | null, step: 1 | -1): number =>
  frame === null ? (step > 0 ? 0 : LAST) : Math.min(LAST, Math.max(0, frame + step));

type PointerProps = Pick<
  ComponentProps<'button'>,
  'onPointerDown' | 'onPointerMove' | 'onPointerLeave' | 'onPointerCancel'
>;

interface Strip {
  /** Which frame of the strip is shown. Null: none, and nothing of it has been fetched because of this tile. */
  frame: number | null;
  /** For what the mouse moves over, or a finger drags along. It lets a finger scroll the page up and down only: `touch-pan-y`. */
  pointer: PointerProps;
  /** For what can have the focus, where the arrow keys do nothing else. */
  keys: Pick<ComponentProps<'button'>, 'onKeyDown' | 'onBlur'>;
}

/**
 * Chooses the frame of a strip by the place of the mouse or a finger, or by the arrow keys. A mouse that only passes moves nothing where people prefer
 * less motion.
 */
export function useStrip(): Strip {
  const [frame, setFrame] = useState<number | null>(null);
  const startX = useRef(0);
  const hide = () => setFrame(null);
  return {
    frame,
    pointer: {
      onPointerDown: ({ clientX }) => {
        startX.current = clientX;
      },
      onPointerMove: ({ currentTarget, clientX, pointerType }) => {
        const isMouse = pointerType === 'mouse';
        if (isMouse ? prefersStill() : frame === null && Math.abs(clientX - startX.current) < DRAG_PX) return;
        const { left, width } = currentTarget.getBoundingClientRect();
        setFrame(getFrameAt((clientX - left) / width));
      },
      onPointerLeave: hide,
      onPointerCancel: hide,
    },
    keys: {
      onKeyDown: (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        setFrame((shown) => getNextFrame(shown, step > 0 ? 1 : -1));
      },
      onBlur: hide,
    },
  };
}
