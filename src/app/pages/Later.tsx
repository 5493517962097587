import { ChartColumn, type LucideIcon } from 'lucide-react';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';

/** A page that has nothing to show yet and says so. */
function Later({ icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  usePageTitle(title);
  return (
    <div className="px-3">
      <ErrorPage icon={icon} title={title} text={text} />
    </div>
  );
}

export const Insights = () => (
  <Later icon={ChartColumn} title="Industry Insights" text="Figures appear here once enough people are on the board." />
);
