import { lazy, Suspense } from 'react';
import { useSheetParam } from '#ui/use-sheet-param.ts';

const InstallGuide = lazy(() => import('./InstallGuide.tsx').then((module) => ({ default: module.InstallGuide })));

/** Renders the install guide while the address asks for it. Mount once per page layout. */
export function GuideHost() {
  const guide = useSheetParam('install');
  if (!guide.isOpen) return null;
  return (
    <Suspense>
      <InstallGuide onClose={guide.close} />
    </Suspense>
  );
}
