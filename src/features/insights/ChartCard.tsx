import type { ComponentProps, ReactNode } from 'react';
import { Card } from '#ui/Card.tsx';
import { BarChart } from './BarChart.tsx';

interface ChartCardProps extends ComponentProps<typeof BarChart> {
  title: string;
  /** Of whom five are needed for figures: 'people share a city'. */
  groupRule: string;
  /** What changes the chart, above it. */
  children?: ReactNode;
}

/** A chart under its title, or what it takes for there to be one. */
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
