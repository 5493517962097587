import type { AnyRow } from '#contract/section.ts';
import { Card } from '#ui/Card.tsx';
import { toJourneyStops } from './journey.ts';

/** The highlights as others see them: a timeline, the newest stop with a marigold dot. */
export function Journey({ rows, currentYear }: { rows: readonly AnyRow[]; currentYear: number }) {
  return (
    <Card title="Journey Continues...">
      <ol>
        {toJourneyStops(rows, currentYear).map((stop, index) => (
          <li key={stop.key} className="grid grid-cols-[3.4rem_minmax(0,1fr)] gap-x-3">
            <span className="num pt-px text-right text-sm font-semibold">{stop.year}</span>
            <div className="relative border-l-2 border-base-300 pb-4 pl-4">
              <i
                className={`absolute top-1.5 -left-[7px] size-3 rounded-full ${index === 0 ? 'bg-accent' : 'border-2 border-primary bg-base-100'}`}
                aria-hidden
              />
              <div className="leading-snug font-semibold break-words">{stop.title}</div>
              {stop.text && <div className="text-sm break-words text-muted">{stop.text}</div>}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
