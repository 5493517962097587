import type { ComponentProps, ReactNode } from 'react';
import { Card } from '#ui/Card.tsx';
import { BarChart } from './BarChart.tsx';

interface ChartCardProps extends ComponentProps<typeof BarChart> {
  title: string;
  /** What five people must have in common before the chart appears, such as 'people share a city'. */
  groupRule: string;
  /** Controls above the chart. */
  children?: ReactNode;
}

/** A titled chart, or a note that there are too few people for one. */
export function ChartCard({ title, groupRule: whom, children, ...chart }: ChartCardProps) {
  return (
    <Card title={title}>
      {chart.bars.length === 0 ? (
        <p className="text-sm text-muted">This chart appears once five {whom}.</p>
      ) : (
        <>
          {children}
          <BarChart {...chart} />
        </>
      )}
    </Card>
  );
}
