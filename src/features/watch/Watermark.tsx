import { MONTHS } from '#contract/text.ts';

/** '19 Nov 2026' */
const dayText = (now: number): string => {
  const day = new Date(now);
  return `${day.getDate()} ${MONTHS[day.getMonth()]} ${day.getFullYear()}`;
};

/** Lines over the whole picture that say to whom it was shown, and when. They deter from passing it on; nothing could prevent it. */
export function Watermark({ text, now }: { text: string; now: number }) {
  const line = `${text} · ${dayText(now)}`;
  return (
    <div className="pointer-events-none absolute inset-0 grid grid-rows-3 overflow-hidden select-none" aria-hidden>
      {['justify-self-start', 'justify-self-center', 'justify-self-end'].map((place) => (
        <span
          key={place}
          className={`max-w-full self-center px-6 text-sm font-semibold break-words text-white/45 [text-shadow:0_0_3px_rgb(0_0_0/.7)] ${place}`}
        >
          {line}
        </span>
      ))}
    </div>
  );
}
