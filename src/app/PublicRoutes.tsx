import { Route, Routes } from 'react-router-dom';
import { Landing } from './landing/Landing.tsx';
import { SignedOutLayout } from './layout/SignedOutLayout.tsx';
import { sharedPages } from './shared-pages.tsx';

/** What a visitor without a session can open. */
export function PublicRoutes() {
  return (
    <Routes>
      <Route element={<SignedOutLayout />}>
        <Route index element={<Landing />} />
        {sharedPages}
      </Route>
    </Routes>
  );
}
