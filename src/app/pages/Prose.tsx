import type { ReactNode } from 'react';
import { usePageTitle } from '#ui/page-title.ts';

/** The layout of a text page. */
export function Prose({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <article className="mx-auto max-w-2xl px-4 pt-4 pb-8 md:px-6 md:pt-8">
      <h1 className="text-[1.75rem] font-bold">{title}</h1>
      <div className="space-y-3 pt-3 text-[0.96875rem] leading-relaxed [&_h2]:pt-3 [&_h2]:text-lg [&_h2]:font-bold">
        {children}
      </div>
    </article>
  );
}
