import type { Shot } from './settings.ts';

interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Height of the eyes. */
  eyes: number;
}

/** Where a person belongs in each shot, in percent of the picture. */
const FRAMES: Record<Shot, Frame> = {
  close: { left: 26, right: 74, top: 5, bottom: 95, eyes: 38 },
  medium: { left: 28, right: 72, top: 12, bottom: 97, eyes: 33 },
  full: { left: 34, right: 66, top: 7, bottom: 95, eyes: 17 },
};

const CORNER = 5;

/** Corner marks and a line for the eyes, over the picture. Only for people who see it; nothing of it is recorded. */
export function FramingGuide({ shot }: { shot: Shot }) {
  const { left, right, top, bottom, eyes } = FRAMES[shot];
  const corner = (x: number, y: number, dx: number, dy: number) => `M${x} ${y + dy}V${y}H${x + dx}`;
  const corners = [
    corner(left, top, CORNER, CORNER),
    corner(right, top, -CORNER, CORNER),
    corner(left, bottom, CORNER, -CORNER),
    corner(right, bottom, -CORNER, -CORNER),
  ].join('');
  return (
    <svg className="absolute inset-0 size-full" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
      <g stroke="#fff" fill="none" vectorEffect="non-scaling-stroke">
        <path d={corners} strokeWidth={2} strokeOpacity={0.9} vectorEffect="non-scaling-stroke" />
        <path
          d={`M${left + CORNER} ${eyes}H${right - CORNER}`}
          strokeOpacity={0.7}
          strokeDasharray="6 6"
          vectorEffect="non-scaling-stroke"
        />
      </g>
    </svg>
  );
}
