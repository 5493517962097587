import { LiveRegion } from '#ui/announce.tsx';
import { Questions } from '#ui/confirm.tsx';
import { Toaster } from '#ui/Toast.tsx';
import { useRouteFocus } from './layout/use-route-focus.ts';
import { PublicRoutes } from './PublicRoutes.tsx';

export function App() {
  useRouteFocus();
  return (
    <>
      <PublicRoutes />
      <Toaster />
      <Questions />
      <LiveRegion />
    </>
  );
}
