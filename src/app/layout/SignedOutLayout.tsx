'fetched first by visitors';

import type { ReactNode } from 'react';
import { useLocation } from '#ui/router.tsx';
import { GuideHost } from '#features/install/GuideHost.tsx';
import { RouteBoundary } from '../RouteBoundary.tsx';
import { Footer } from './Footer.tsx';
import { SignedOutHeader } from './SignedOutHeader.tsx';
import { SkipLink } from './SkipLink.tsx';

export function SignedOutLayout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <SignedOutHeader />
      <main id="main" tabIndex={-1} className="grow">
        <RouteBoundary key={pathname}>{children}</RouteBoundary>
      </main>
      <Footer />
      <GuideHost />
    </div>
  );
}
