import { memo, type ReactNode } from 'react';
import { linkify } from './linkify.tsx';

export type BubbleLook = 'in' | 'out' | 'wait';

const LOOKS: Record<BubbleLook, string> = {
  in: 'rounded-bl-md bg-base-100',
  out: 'rounded-br-md bubble-out',
  wait: 'rounded-br-md bubble-wait',
};

interface BubbleProps {
  text: string;
  look: BubbleLook;
  /** The sender's name, for screen readers. */
  by: string;
  isFound: boolean;
}

/** The text of a message, as typed. `dir="auto"` lays it out in the direction of its script. */
export const Bubble = memo(function Bubble({ text, look, by, isFound }: BubbleProps) {
  return (
    <div
      dir="auto"
      className={`max-w-[78%] rounded-[18px] px-3 py-2 text-[0.96875rem] leading-[1.35] break-words whitespace-pre-wrap ${LOOKS[look]} ${
        isFound ? 'outline-3 outline-offset-2 outline-accent' : ''
      }`}
    >
      <span className="sr-only">{by}: </span>
      {linkify(text)}
    </div>
  );
});

/** The row of one message: received messages on the left, own messages on the right. */
export function BubbleRow({
  look,
  id,
  seq,
  isFirst,
  children,
}: {
  look: BubbleLook;
  /** The message's key. It stays the same when the server confirms a message sent from this device. */
  id: string;
  seq?: number;
  /** The first of several consecutive messages from one sender. */
  isFirst: boolean;
  children: ReactNode;
}) {
  return (
    <div
      data-key={id}
      data-seq={seq}
      className={`flex flex-col ${look === 'in' ? 'items-start' : 'items-end'} ${isFirst ? 'mt-3' : 'mt-1'}`}
    >
      {children}
    </div>
  );
}
