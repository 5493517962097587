import { lazy, Suspense } from 'react';
import { useSheetParam } from '#ui/use-sheet-param.ts';

const InstallGuide = lazy(() => import('./InstallGuide.tsx').then((module) => ({ default: module.InstallGuide })));

/** Mount once per page frame; shows the guide while the address says so. */
export function GuideHost() {
  const guide = useSheetParam('install');
  if (!guide.isOpen) return null;
  return (
    <Suspense>
      <InstallGuide onClose={guide.close} />
    </Suspense>
  );
}
