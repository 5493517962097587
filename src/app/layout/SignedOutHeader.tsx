import { Link, useLocation } from '#ui/router.tsx';
import { registerLink } from '#shared/sign-in-state.ts';
import { InstallButton } from '#features/install/InstallButton.tsx';
import { ButtonLink } from '#ui/Button.tsx';
import { Logo } from '#ui/Logo.tsx';
import { AppsMenu } from './AppsMenu.tsx';

const LINK = 'tap shrink-0 px-2 font-semibold whitespace-nowrap text-primary';

/** The two forms pass on the return address that they were given. */
const isForm = (pathname: string) => pathname === '/login' || pathname === '/register';
/** Whether signing in returns to this page: yes for content, no for pages such as the terms. */
const isWorthReturning = (pathname: string) =>
  /^\/(profile|search|insights|auditions|casting|cv|booth)\b/.test(pathname);

/** The header of every signed-out page. On a phone the two large buttons have a row of their own. */
export function SignedOutHeader() {
  const { pathname, search, state } = useLocation();
  const returnState = isWorthReturning(pathname) ? { from: pathname + search } : null;
  const signInState: unknown = isForm(pathname) ? state : returnState;
  return (
    <header className="mx-auto flex w-full max-w-[1216px] flex-wrap items-center gap-x-1 px-3 py-2.5 md:flex-nowrap md:gap-x-2 md:px-6">
      <Link
        to="/"
        className="flex min-h-11 min-w-0 grow items-center gap-2 text-lg font-bold"
        aria-label="Callboard, home"
      >
        <Logo />
        <span className="max-[22.5rem]:hidden">Callboard</span>
      </Link>
      <div className="order-last flex w-full gap-2 pt-1.5 md:order-none md:w-auto md:pt-0">
        <InstallButton className="grow px-3 md:grow-0" />
        <ButtonLink className="grow px-3 md:grow-0" {...registerLink(signInState)}>
          Get on the Stage!
        </ButtonLink>
      </div>
      <Link className={LINK} to="/login" state={signInState}>
        Sign in
      </Link>
      <Link className={LINK} {...registerLink(signInState)}>
        Sign up
      </Link>
      <AppsMenu />
    </header>
  );
}
