import { Link } from 'react-router-dom';
import { InstallButton } from '#features/install/InstallButton.tsx';
import { ButtonLink } from '#ui/Button.tsx';
import { Mark } from '#ui/Mark.tsx';
import { REGISTER_ADDRESS } from '../register-address.ts';
import { AppsMenu } from './AppsMenu.tsx';

/** The bar of the sign-up pages. The landing page has the two big buttons in its own middle. */
export function SignedOutHeader({ hasBigButtons }: { hasBigButtons: boolean }) {
  return (
    <header className="mx-auto flex h-16 w-full max-w-[1216px] items-center gap-2 px-3 md:px-6">
      <Link to="/" className="flex min-h-11 grow items-center gap-2 text-lg font-bold" aria-label="Callboard, home">
        <Mark />
        Callboard
      </Link>
      {!hasBigButtons && (
        <div className="hidden items-center gap-2 md:flex">
          <InstallButton />
          <ButtonLink to={REGISTER_ADDRESS}>Get on the Stage!</ButtonLink>
        </div>
      )}
      <Link className="tap px-2 font-semibold text-primary" to={REGISTER_ADDRESS}>
        Sign up
      </Link>
      <AppsMenu />
    </header>
  );
}
