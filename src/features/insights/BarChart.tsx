import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import type { Bar } from './chart-data.ts';

interface BarChartProps {
  /** What the bars show, in one sentence. */
  caption: string;
  /** Header of the table's label column, such as 'City'. */
  rowHeader: string;
  /** Headers of the table's other columns. */
  columns: readonly string[];
  bars: readonly Bar[];
}

/** A bar chart, with the same figures as a table for screen readers and exact values. */
export function BarChart({ caption, rowHeader: of, columns, bars }: BarChartProps) {
  const id = useId();
  return (
    <figure aria-labelledby={id}>
      <figcaption id={id} className="text-sm text-muted">
        {caption}
      </figcaption>
      <div aria-hidden className="mt-3 space-y-3">
        {bars.map(({ label, length, text, detail }) => (
          <div key={label}>
            <div className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">{label}</span>
              <span className="num shrink-0 text-sm font-semibold">{text}</span>
            </div>
            <div className="band mt-1">
              <i style={{ left: 0, width: `${length * 100}%` }} />
            </div>
            {detail && <p className="num mt-1 text-sm text-muted">{detail}</p>}
          </div>
        ))}
      </div>
      <details className="group mt-2">
        <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-1 text-sm font-semibold text-primary [&::-webkit-details-marker]:hidden">
          As a table
          <ChevronDown className="ic size-4 group-open:rotate-180" aria-hidden />
        </summary>
        <table className="num w-full table-auto text-left text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-b border-base-300 align-bottom">
              {[of, ...columns].map((name) => (
                <th key={name} scope="col" className="py-2 pr-2 font-semibold text-muted last:pr-0">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, cells }) => (
              <tr key={label} className="border-b border-base-300 align-top last:border-0">
                <th scope="row" className="py-2 pr-2 font-semibold [overflow-wrap:anywhere]">
                  {label}
                </th>
                {cells.map((cell, place) => (
                  <td key={columns[place]} className="py-2 pr-2 last:pr-0">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
