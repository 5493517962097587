import type { ComponentProps } from 'react';
import { ErrorPage } from '#ui/ErrorPage.tsx';

/** A page of its own with one notice, in the middle of the screen. */
export function NoticePage(props: ComponentProps<typeof ErrorPage>) {
  return (
    <div className="px-3">
      <ErrorPage {...props} />
    </div>
  );
}
