import { useEffect, useState } from 'react';
import { fileSize } from '#lib/amounts.ts';
import { leftText } from '#lib/dates.ts';
import { rememberSpeed } from './sending-time.ts';
import { bytesPerSecond, secondsLeft, withSample, type Sample } from '#lib/upload-speed.ts';

/** '5.70 of 9.20 MB', '812.00 KB of 9.20 MB'. */
function bytesText(sent: number, size: number): string {
  const whole = fileSize(size);
  const part = fileSize(sent);
  const unit = whole.slice(whole.indexOf(' '));
  return `${part.endsWith(unit) ? part.slice(0, -unit.length) : part} of ${whole}`;
}

/**
 * Describes an upload's progress, speed and remaining time: '5.70 of 9.20 MB, 48.20 KB a second, about 1 min left'.
 * Speed and time appear once they can be measured.
 */
export function useTransferRate(sent: number, size: number, isMoving: boolean): string {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    if (!isMoving) return;
    const timer = setTimeout(() => setSamples((before) => withSample(before, { at: Date.now(), sentBytes: sent })));
    return () => clearTimeout(timer);
  }, [sent, isMoving]);
  const speed = isMoving ? bytesPerSecond(samples) : null;
  useEffect(() => {
    if (speed !== null) rememberSpeed(speed, Date.now());
  }, [speed]);
  const seconds = isMoving ? secondsLeft(samples, size) : null;
  return [
    bytesText(sent, size),
    speed !== null && `${fileSize(Math.round(speed))} a second`,
    seconds !== null && leftText(seconds),
  ]
    .filter(Boolean)
    .join(', ');
}
