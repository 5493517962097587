import { useEffect, useRef } from 'react';
import { getScrollSpeed, getScrollTop, toParagraphs } from './prompter-motion.ts';
import type { BoothSettings } from './settings.ts';

const SIZES_REM = [1.125, 1.375, 1.75, 2.25, 2.75];

interface PrompterProps {
  settings: Pick<BoothSettings, 'script' | 'speed' | 'size' | 'isWide' | 'isMirrored'>;
  isRunning: boolean;
}

/** The lines under the lens. They scroll while a take is running, and can be scrolled by hand at any time. */
export function Prompter({ settings: { script, speed, size, isWide, isMirrored }, isRunning }: PrompterProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element || !isRunning) return;
    const linePx = Number.parseFloat(getComputedStyle(element).lineHeight) || 32;
    const byLine = matchMedia('(prefers-reduced-motion: reduce)').matches;
    let from = element.scrollTop;
    let since = performance.now();
    let shown = from;
    let frame = requestAnimationFrame(function move(now) {
      // Scrolled by hand: go on from there.
      if (Math.abs(element.scrollTop - shown) > 2) {
        from = element.scrollTop;
        since = now;
      }
      element.scrollTop = getScrollTop(from, (now - since) / 1000, getScrollSpeed(speed, linePx), linePx, byLine);
      shown = element.scrollTop;
      frame = requestAnimationFrame(move);
    });
    return () => cancelAnimationFrame(frame);
  }, [isRunning, speed, size, script]);
  return (
    <div
      ref={box}
      role="region"
      aria-label="Prompter"
      // Scrollable with the keyboard.
      tabIndex={0}
      className={`h-[38dvh] min-h-24 shrink overflow-y-auto bg-black/70 px-5 py-3 text-center [scrollbar-width:none] ${
        isWide ? 'leading-[1.9] font-medium tracking-[0.06em] [word-spacing:0.2em]' : 'leading-snug'
      } ${isMirrored ? '-scale-x-100' : ''}`}
      style={{ fontSize: `${SIZES_REM[size - 1] ?? 1.75}rem` }}
    >
      {toParagraphs(script).map((paragraph, n) => (
        <p key={n} className="mx-auto mb-[0.6em] max-w-3xl text-balance">
          {paragraph}
        </p>
      ))}
      {/* The last line can be read at the top. */}
      <div className="h-full" aria-hidden />
    </div>
  );
}
