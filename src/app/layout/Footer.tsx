import { Link } from 'react-router-dom';

const LINKS = [
  ['/privacy', 'Privacy Policy'],
  ['/terms', 'Terms & Conditions'],
  ['/help', 'Help'],
  ['/support', 'Support'],
] as const;

export function Footer() {
  return (
    <footer className="page-foot mx-auto mt-4 flex w-full max-w-[1216px] flex-wrap items-center gap-x-4 px-4 pb-4 text-xs text-muted md:mt-8 md:px-6">
      {LINKS.map(([to, label]) => (
        <Link key={to} to={to} className="flex min-h-11 items-center hover:underline">
          {label}
        </Link>
      ))}
      <span className="num">© {new Date().getFullYear()} Callboard</span>
    </footer>
  );
}
