'fetched first by visitors';

import type { ComponentType } from 'react';
import { Navigate, Route, Switch, useLocation } from '#ui/router.tsx';
import { Landing } from './landing/Landing.tsx';
import { lazyPage } from './lazy-page.ts';
import { SignedOutLayout } from './layout/SignedOutLayout.tsx';
import { sharedPages } from './shared-pages.tsx';

const Login = lazyPage(() => import('#features/account/Login.tsx'), 'Login');
const Register = lazyPage(() => import('#features/account/Register.tsx'), 'Register');

const SIGNED_IN_PATHS = [
  '/profile',
  '/profile/step/:step',
  '/media',
  '/connections',
  '/messages',
  '/messages/:conversationId',
  '/notifications',
  '/waiting',
  '/saved',
  '/settings',
];

/** Redirects to the sign-in page, which returns to this address. */
function RedirectToSignIn() {
  const { pathname, search } = useLocation();
  return <Navigate to="/login" replace state={{ from: pathname + search }} />;
}

export interface PublicRoutesProps {
  /** Any person's profile. */
  ProfilePage: ComponentType;
}

/** The routes of a visitor without a session. The first that matches is shown. */
export function PublicRoutes({ ProfilePage }: PublicRoutesProps) {
  return (
    <SignedOutLayout>
      <Switch>
        <Route path="/" component={Landing} />
        <Route path="/login" component={Login} />
        <Route path="/register" component={Register} />
        {SIGNED_IN_PATHS.map((path) => (
          <Route key={path} path={path} component={RedirectToSignIn} />
        ))}
        <Route path="/profile/:userSlug/:typeSlug" component={ProfilePage} />
        {sharedPages}
      </Switch>
    </SignedOutLayout>
  );
}
