import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { HeaderSearch } from '#features/search/HeaderSearch.tsx';

/**
 * The search of the bar. It is a field of its own from the start, so that no letter typed is lost while the one with
 * people in it is fetched; that one takes the words over. Where its code cannot be had, Enter leads to the page.
 */
export function BarSearch() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [FullSearch, setFullSearch] = useState<typeof HeaderSearch>();
  const asked = pathname === '/search' ? (new URLSearchParams(search).get('q') ?? '') : '';
  const load = () => {
    import('#features/search/HeaderSearch.tsx').then(
      (module) => setFullSearch(() => module.HeaderSearch),
      // Fetched again with the next look at the field.
      console.warn,
    );
  };
  if (FullSearch) return <FullSearch plain={field} />;
  return (
    <form
      role="search"
      className="bar-search"
      onSubmit={(event) => {
        event.preventDefault();
        const words = field.current?.value.trim() ?? '';
        void navigate(words === '' ? '/search' : `/search?${new URLSearchParams({ q: words })}`);
      }}
    >
      <label className="bar-search-box">
        <Search className="ic text-muted" aria-hidden />
        <input
          // The page of results brings its words; what is being typed stays.
          key={asked}
          ref={field}
          id="people-search"
          name="q"
          role="combobox"
          aria-label="Search people"
          aria-expanded={false}
          autoComplete="off"
          maxLength={200}
          placeholder="Search people"
          className="w-full min-w-0 outline-none"
          defaultValue={asked}
          onFocus={load}
        />
        {asked === '' && (
          <kbd className="hidden rounded border border-base-300 px-1.5 text-xs text-muted xl:block" aria-hidden>
            /
          </kbd>
        )}
      </label>
    </form>
  );
}
