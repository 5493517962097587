import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';

const LINKS = [
  ['/privacy', 'Privacy Policy'],
  ['/terms', 'Terms & Conditions'],
  ['/help', 'Help'],
  ['/support', 'Support'],
] as const;

/** What stands in a page that is still to come. */
const LOADING_SELECTOR = "[role='group'][aria-busy='true']";

/** @param className says what room it leaves below */
export function Footer({ className = '' }: { className?: string }) {
  const ref = useRef<HTMLElement>(null);
  // Below a page that is still to come it would stand in the middle, and jump. This could be a rule with :has, but then the
  // browser would work out the looks of the whole page anew whenever a row comes or goes.
  useLayoutEffect(() => {
    const foot = ref.current;
    const main = document.querySelector('main');
    if (foot === null || main === null) return;
    const updateVisibility = () => {
      const isComing = main.querySelector('h1') === null || main.querySelector(LOADING_SELECTOR) !== null;
      foot.style.visibility = isComing ? 'hidden' : '';
    };
    updateVisibility();
    const observer = new MutationObserver(updateVisibility);
    observer.observe(main, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return (
    <footer
      ref={ref}
      className={`mx-auto mt-4 flex w-full max-w-[1216px] flex-wrap items-center gap-x-4 px-4 pb-4 text-xs text-muted md:mt-8 md:px-6 ${className}`}
    >
      {LINKS.map(([to, label]) => (
        <Link key={to} to={to} className="flex min-h-11 items-center hover:underline">
          {label}
        </Link>
      ))}
      <span className="num">© {new Date().getFullYear()} Callboard</span>
    </footer>
  );
}
