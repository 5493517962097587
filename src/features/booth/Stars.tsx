import { Star } from 'lucide-react';
import { count } from '#lib/text.ts';

const ALL = [1, 2, 3, 4, 5];

const look = (isFull: boolean) => (isFull ? 'fill-current text-accent' : 'text-field');

/** How many stars a take has. */
export function StarLine({ stars }: { stars: number }) {
  return (
    <span className="flex" role="img" aria-label={`${stars} of 5 stars`}>
      {ALL.map((n) => (
        <Star key={n} className={`ic size-4 ${look(n <= stars)}`} aria-hidden />
      ))}
    </span>
  );
}

interface StarsProps {
  takeName: string;
  stars: number;
  onChange: (stars: number) => void;
}

/** Gives a take stars. The number that it has takes them away again. */
export function Stars({ takeName, stars, onChange }: StarsProps) {
  return (
    <div role="group" aria-label={`Stars for ${takeName}`} className="-ml-2.5 flex">
      {ALL.map((n) => (
        <button
          key={n}
          type="button"
          className="tap"
          aria-label={count(n, 'star')}
          aria-pressed={n === stars}
          onClick={() => onChange(n === stars ? 0 : n)}
        >
          <Star className={`ic size-6 ${look(n <= stars)}`} aria-hidden />
        </button>
      ))}
    </div>
  );
}
