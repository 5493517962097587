'fetched first by members';

import { Route, Switch } from '#ui/router.tsx';
import { lazyPage } from './lazy-page.ts';
import { SignedInLayout } from './layout/SignedInLayout.tsx';
import { Home } from './pages/Home.tsx';
import { RouteBoundary } from './RouteBoundary.tsx';
import { sharedPages } from './shared-pages.tsx';

const Wizard = lazyPage(() => import('#features/account/Wizard.tsx'), 'Wizard');
const SignedOutLayout = lazyPage(() => import('./layout/SignedOutLayout.tsx'), 'SignedOutLayout');
const AfterSignIn = lazyPage(() => import('./pages/AfterSignIn.tsx'), 'AfterSignIn');
const AfterSignUp = lazyPage(() => import('./pages/AfterSignIn.tsx'), 'AfterSignUp');
const Settings = lazyPage(() => import('#features/account/Settings.tsx'), 'Settings');
const Waiting = lazyPage(() => import('./pages/Waiting.tsx'), 'Waiting');
const Media = lazyPage(() => import('./pages/Media.tsx'), 'Media');
const ConnectionsPage = lazyPage(() => import('#features/connections/ConnectionsPage.tsx'), 'ConnectionsPage');
const SavedPage = lazyPage(() => import('#features/saved/SavedPage.tsx'), 'SavedPage');
const Messages = lazyPage(() => import('#features/chat/MessagesPage.tsx'), 'MessagesPage');
const NotificationsPage = lazyPage(() => import('#features/notifications/NotificationsPage.tsx'), 'NotificationsPage');

/** The pages inside the layout of signed-in people. */
function LayoutRoutes() {
  return (
    <SignedInLayout>
      <Switch>
        <Route path="/">
          <Home />
        </Route>
        <Route path="/profile">
          <Home />
        </Route>
        <Route path="/profile/:userSlug/:typeSlug">
          <Home />
        </Route>
        <Route path="/media" component={Media} />
        <Route path="/waiting" component={Waiting} />
        <Route path="/settings" component={Settings} />
        <Route path="/connections" component={ConnectionsPage} />
        <Route path="/saved" component={SavedPage} />
        <Route path="/messages" component={Messages} />
        <Route path="/messages/:conversationId" component={Messages} />
        <Route path="/notifications" component={NotificationsPage} />
        {sharedPages}
      </Switch>
    </SignedInLayout>
  );
}

/** The routes of a signed-in person. The first that matches is shown. */
export function SignedInRoutes() {
  return (
    <Switch>
      <Route path="/login">
        <RouteBoundary>
          <SignedOutLayout>
            <AfterSignIn />
          </SignedOutLayout>
        </RouteBoundary>
      </Route>
      <Route path="/register">
        <RouteBoundary>
          <SignedOutLayout>
            <AfterSignUp />
          </SignedOutLayout>
        </RouteBoundary>
      </Route>
      <Route path="/profile/step/:step">
        <RouteBoundary>
          <Wizard />
        </RouteBoundary>
      </Route>
      <Route>
        <LayoutRoutes />
      </Route>
    </Switch>
  );
}
