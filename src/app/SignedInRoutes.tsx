'fetched first by members';

import { Route, Routes } from 'react-router-dom';
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

export function SignedInRoutes() {
  return (
    <Routes>
      <Route element={<SignedInLayout />}>
        <Route index element={<Home />} />
        <Route path="profile" element={<Home />} />
        <Route path="profile/:userSlug/:typeSlug" element={<Home />} />
        <Route path="media" element={<Media />} />
        <Route path="waiting" element={<Waiting />} />
        <Route path="settings" element={<Settings />} />
        <Route path="connections" element={<ConnectionsPage />} />
        <Route path="saved" element={<SavedPage />} />
        <Route path="messages" element={<Messages />} />
        <Route path="messages/:conversationId" element={<Messages />} />
        <Route path="notifications" element={<NotificationsPage />} />
        {sharedPages}
      </Route>
      <Route
        element={
          <RouteBoundary>
            <SignedOutLayout />
          </RouteBoundary>
        }
      >
        <Route path="login" element={<AfterSignIn />} />
        <Route path="register" element={<AfterSignUp />} />
      </Route>
      <Route
        path="profile/step/:step"
        element={
          <RouteBoundary>
            <Wizard />
          </RouteBoundary>
        }
      />
    </Routes>
  );
}
