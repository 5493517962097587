import { useSheetParam } from '#ui/use-sheet-param.ts';
import { lazyPart } from '#ui/lazy-part.ts';

const InstallGuide = lazyPart(async () => (await import('./InstallGuide.tsx')).InstallGuide);

/** Renders the install guide while the address asks for it. Mount once per page layout. */
export function GuideHost() {
  const guide = useSheetParam('install');
  if (!guide.isOpen) return null;
  return <InstallGuide onClose={guide.close} />;
}
