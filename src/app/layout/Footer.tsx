import { useLayoutEffect, useRef } from 'react';
import { Link } from '#ui/router.tsx';

const LINKS = [
  ['/privacy', 'Privacy Policy'],
  ['/terms', 'Terms & Conditions'],
  ['/help', 'Help'],
  ['/support', 'Support'],
] as const;

/** Matches the placeholder of content that is still loading. */
const LOADING_SELECTOR = "[role='group'][aria-busy='true']";

/** @param className sets the space below the footer */
export function Footer({ className = '' }: { className?: string }) {
  const ref = useRef<HTMLElement>(null);
  // Hidden while the page is loading, because it would be in the middle of the screen and jump. A CSS rule with :has would make
  // the browser recalculate the styles of the whole page whenever a row is added or removed.
  useLayoutEffect(() => {
    const footer = ref.current;
    const main = document.querySelector('main');
    if (footer === null || main === null) return;
    const updateVisibility = () => {
      const isLoading = main.querySelector('h1') === null || main.querySelector(LOADING_SELECTOR) !== null;
      footer.style.visibility = isLoading ? 'hidden' : '';
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
