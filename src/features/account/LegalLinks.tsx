import { Link } from '#ui/router.tsx';

/** "the Terms & Conditions and the Privacy Policy", as links, for the end of a sentence. */
export const LegalLinks = () => (
  <>
    the{' '}
    <Link to="/terms" className="underline">
      Terms &amp; Conditions
    </Link>{' '}
    and the{' '}
    <Link to="/privacy" className="underline">
      Privacy Policy
    </Link>
  </>
);
