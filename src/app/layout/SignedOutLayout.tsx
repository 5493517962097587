'fetched first by visitors';

import { Outlet, useLocation } from 'react-router-dom';
import { GuideHost } from '#features/install/GuideHost.tsx';
import { RouteBoundary } from '../RouteBoundary.tsx';
import { Footer } from './Footer.tsx';
import { SignedOutHeader } from './SignedOutHeader.tsx';
import { SkipLink } from './SkipLink.tsx';

export function SignedOutLayout() {
  const { pathname } = useLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <SignedOutHeader />
      <main id="main" tabIndex={-1} className="grow">
        <RouteBoundary key={pathname}>
          <Outlet />
        </RouteBoundary>
      </main>
      <Footer />
      <GuideHost />
    </div>
  );
}
