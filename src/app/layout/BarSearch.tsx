import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from '#ui/router.tsx';
import type { HeaderSearch } from '#features/search/HeaderSearch.tsx';

/**
 * The search field of the bar. It works before the code of the full search is loaded, so that no keystroke is lost; the full
 * search takes over its text. If that code cannot be fetched, Enter opens the search page.
 */
export function BarSearch() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [FullSearch, setFullSearch] = useState<typeof HeaderSearch>();
  const query = pathname === '/search' ? (new URLSearchParams(search).get('q') ?? '') : '';
  const load = () => {
    import('#features/search/HeaderSearch.tsx').then(
      (module) => setFullSearch(() => module.HeaderSearch),
      // Fetched again at the next focus.
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
        const text = field.current?.value.trim() ?? '';
        navigate(text === '' ? '/search' : `/search?${new URLSearchParams({ q: text })}`);
      }}
    >
      <label className="bar-search-box">
        <Search className="ic text-muted" aria-hidden />
        <input
          // A new query resets the field; otherwise it keeps what is being typed.
          key={query}
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
          defaultValue={query}
          onFocus={load}
        />
        {query === '' && (
          <kbd className="hidden rounded border border-base-300 px-1.5 text-xs text-muted xl:block" aria-hidden>
            /
          </kbd>
        )}
      </label>
    </form>
  );
}
