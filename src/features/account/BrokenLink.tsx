import { Unlink } from 'lucide-react';
import type { ReactNode } from 'react';
import { ErrorPage } from '#ui/ErrorPage.tsx';

/** Shown for a link that is too old, was used, or was cut off. `action` leads to a new one. */
export function BrokenLink({ action }: { action: ReactNode }) {
  return (
    <ErrorPage
      icon={Unlink}
      title="This link no longer works"
      text="It has been used, is too old, or was cut off. If you copied it, check that you have all of it."
      action={action}
    />
  );
}
