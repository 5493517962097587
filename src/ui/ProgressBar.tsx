import { percent } from '#lib/amounts.ts';

interface ProgressBarProps {
  /** 'Photo: IMG_4471.jpg' */
  label: string;
  done: number;
  of: number;
  /** Uses the accent color, which is visible on pictures. */
  overPicture?: boolean;
}

/** A progress bar, 6 px high. Use it only for measured progress. */
export function ProgressBar({ label, done, of, overPicture = false }: ProgressBarProps) {
  const value = percent(done, of);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      className={overPicture ? 'band !h-1.5 !bg-black/40' : 'band !h-1.5'}
    >
      <i className={overPicture ? '!bg-accent' : ''} style={{ left: 0, right: `${100 - value}%` }} />
    </div>
  );
}
