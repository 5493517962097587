import { UserX } from 'lucide-react';
import { ButtonLink } from '#ui/Button.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';

export function NotFound() {
  usePageTitle('Not found');
  return (
    <ErrorPage
      icon={UserX}
      title="Nobody on the board by that name."
      text="The page may have moved, or the address may be mistyped."
      action={<ButtonLink to="/">Go home</ButtonLink>}
    />
  );
}
