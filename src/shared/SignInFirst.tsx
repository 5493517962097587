import type { LucideIcon } from 'lucide-react';
import { ButtonLink } from '#ui/Button.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { useLocation } from '#ui/router.tsx';

interface SignInFirstProps {
  icon: LucideIcon;
  title: string;
  text: string;
}

/** What a visitor sees on a page for people who are signed in. Signing in leads back to it. */
export function SignInFirst(props: SignInFirstProps) {
  const { pathname, search } = useLocation();
  return (
    <ErrorPage
      {...props}
      action={
        <ButtonLink to="/login" state={{ from: pathname + search }}>
          Sign in
        </ButtonLink>
      }
    />
  );
}
