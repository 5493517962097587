'fetched first by visitors';

import { Navigate, Route, Switch, useLocation } from '#ui/router.tsx';
import { Landing } from './landing/Landing.tsx';
import { lazyPage } from './lazy-page.ts';
import { SignedOutLayout } from './layout/SignedOutLayout.tsx';
import { sharedPages } from './shared-pages.tsx';

const Login = lazyPage(() => import('#features/account/Login.tsx'), 'Login');
const Register = lazyPage(() => import('#features/account/Register.tsx'), 'Register');
const PublicPage = lazyPage(() => import('./pages/PublicPage.tsx'), 'PublicPage');

const SIGNED_IN_PATHS = [
  '/profile',
  '/profile/step/:step',
  '/media',
  '/connections',
  '/messages',
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

/** The routes of a visitor without a session. The first that matches is shown. */
export function PublicRoutes() {
  return (
    <SignedOutLayout>
      <Switch>
        <Route path="/" component={Landing} />
        <Route path="/login" component={Login} />
        <Route path="/register" component={Register} />
        {SIGNED_IN_PATHS.map((path) => (
          <Route key={path} path={path} component={RedirectToSignIn} />
        ))}
        <Route path="/profile/:userSlug/:typeSlug" component={PublicPage} />
        {sharedPages}
      </Switch>
    </SignedOutLayout>
  );
}
