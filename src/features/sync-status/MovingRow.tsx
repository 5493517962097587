import { useEffect, useState } from 'react';
import type { WaitingItem } from '#db/views.ts';
import { fileSize } from '#lib/amounts.ts';
import { leftText } from '#lib/dates.ts';
import { secondsLeft, withSample, type Sample } from '#lib/upload-speed.ts';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { gist } from './row-text.ts';
import { RowFrame } from './RowFrame.tsx';

/** '5.70 of 9.20 MB', '812.00 KB of 9.20 MB'. */
function bytesText(sent: number, size: number): string {
  const whole = fileSize(size);
  const part = fileSize(sent);
  const unit = whole.slice(whole.indexOf(' '));
  return `${part.endsWith(unit) ? part.slice(0, -unit.length) : part} of ${whole}`;
}

function useTimeLeft(sent: number, size: number, isMoving: boolean): string {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setTimeout(() => setSamples((before) => withSample(before, { at: Date.now(), sentBytes: sent })));
    return () => clearTimeout(timer);
  }, [sent, isMoving]);
  const seconds = isMoving ? secondsLeft(samples, size) : null;
  return seconds === null ? '' : `, ${leftText(seconds)} at this speed`;
}

/** One change that moves by itself, an upload with its bytes and time. */
export function MovingRow({ item }: { item: WaitingItem }) {
  const { upload } = item;
  const timeLeft = useTimeLeft(upload?.sent ?? 0, upload?.size ?? 0, item.state === 'sending');
  const text = item.blocked ? 'Waits for the one above that needs you' : gist(item);
  return (
    <RowFrame
      item={item}
      text={text && <div className="line-clamp-2 text-sm leading-snug break-words text-muted">{text}</div>}
    >
      <div className="mt-1.5">
        <StatePill state={item.state} />
      </div>
      {upload && (upload.sent > 0 || item.state === 'sending') && (
        <>
          <div className="mt-2.5">
            <ProgressBar label={item.title} done={upload.sent} of={upload.size} />
          </div>
          <div className="num mt-1.5 text-xs text-muted">
            {bytesText(upload.sent, upload.size)}
            {timeLeft}
          </div>
        </>
      )}
    </RowFrame>
  );
}
