import { History, Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from '#ui/router.tsx';
import type { SearchRow } from '#contract/records/search.ts';
import { saveSearch } from '#db/found-people.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { splitMatches } from './split-matches.ts';
import { OnDeviceMark } from './Results.tsx';
import { useRecentSearches } from './RecentSearches.tsx';
import { usePeopleSearch } from './use-people-search.ts';

const MAX_SUGGESTIONS = 6;
const DEBOUNCE_MS = 150;

interface Suggestion {
  key: string;
  /** The path it opens. */
  to: string;
  /** The query that is stored as a recent search. */
  words: string;
  row?: SearchRow;
}

const getResultsPath = (words: string) => `/search?${new URLSearchParams({ q: words })}`;

/** Searches for people once the typing has paused. */
function useSuggestions(words: string, isOpen: boolean) {
  const [debounced, setDebounced] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(words), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const people = usePeopleSearch(isOpen && debounced !== '' ? { q: debounced } : null, MAX_SUGGESTIONS);
  const found = words === '' || people.found?.status !== 'loaded' ? null : people.found;
  return { found, isBusy: people.isBusy || debounced !== words };
}

/** Reads the text and selection of the plain field that this component replaces; null if it is not focused. */
function readPlainField(plain: HTMLInputElement | null) {
  if (plain === null || document.activeElement !== plain) return null;
  const words = plain.value === plain.defaultValue ? null : plain.value;
  return { words, from: plain.selectionStart ?? 0, to: plain.selectionEnd ?? 0 };
}

/**
 * The search field of the app bar, with suggestions. The arrow keys select one, Enter opens it, Escape closes the list, and '/'
 * focuses the field from anywhere.
 */
export function HeaderSearch({ plain }: { plain: RefObject<HTMLInputElement | null> }) {
  const { db } = useAccount();
  const id = useId();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [params] = useSearchParams();
  const box = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // It replaces a plain field that the user may be typing in, and takes over its text, selection and focus.
  const [before] = useState(() => readPlainField(plain.current));
  const [typed, setTyped] = useState<string | null>(before?.words ?? null);
  const [isOpen, setIsOpen] = useState(false);
  useLayoutEffect(() => {
    if (!before) return;
    field.current?.focus();
    field.current?.setSelectionRange(before.from, before.to);
  }, [before]);
  const [at, setAt] = useState(-1);
  const text = typed ?? (pathname === '/search' ? (params.get('q') ?? '') : '');
  const words = text.trim();
  const { found, isBusy } = useSuggestions(words, isOpen);
  const recent = useRecentSearches();

  const suggestions: Suggestion[] =
    words === ''
      ? recent.map((each) => ({ key: each, to: getResultsPath(each), words: each }))
      : [
          ...(found?.rows.slice(0, MAX_SUGGESTIONS) ?? []).map((row) => {
            const page = `/profile/${row.slug}/${row.profile_type.slug}`;
            return { key: page, to: page, words, row };
          }),
          { key: 'all', to: getResultsPath(words), words },
        ];
  const active = Math.min(at, suggestions.length - 1);
  const isShown = isOpen && (suggestions.length > 0 || words !== '');

  const close = () => {
    setIsOpen(false);
    setAt(-1);
  };
  const open = (suggestion: Suggestion) => {
    close();
    setTyped(null);
    field.current?.blur();
    void toastOnError(saveSearch(db, suggestion.words));
    navigate(suggestion.to);
  };
  const handleKey = (event: KeyboardEvent) => {
    // During composition, Enter and the arrow keys belong to the input method.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setIsOpen(true);
      const positions = suggestions.length + 1;
      if (isShown) setAt(((active + 1 + step + positions) % positions) - 1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (isOpen) close();
      else setTyped('');
    }
  };

  return (
    <form
      ref={box}
      role="search"
      action="/search"
      className="bar-search relative"
      onSubmit={(event) => {
        event.preventDefault();
        const suggestion = suggestions[active];
        if (suggestion) open(suggestion);
        else open({ key: 'all', to: words === '' ? '/search' : getResultsPath(words), words });
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <label className="bar-search-box">
        <Search className="ic text-muted" aria-hidden />
        <input
          ref={field}
          id="people-search"
          name="q"
          className="w-full min-w-0 outline-none"
          role="combobox"
          aria-label="Search people"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
          placeholder="Search people"
          autoComplete="off"
          maxLength={200}
          value={text}
          onFocus={() => setIsOpen(true)}
          onClick={() => setIsOpen(true)}
          onChange={({ target }) => {
            setTyped(target.value);
            setIsOpen(true);
            setAt(-1);
          }}
          onKeyDown={handleKey}
        />
        {text === '' && (
          <kbd className="hidden rounded border border-base-300 px-1.5 text-xs text-muted xl:block" aria-hidden>
            /
          </kbd>
        )}
      </label>
      {isShown && (
        <div className="absolute top-full left-0 z-30 mt-2 w-96 overflow-hidden rounded-box border border-base-300 bg-base-100 shadow-(--shadow-lift)">
          {words === '' && <p className="px-4 pt-3 text-xs font-semibold text-muted">Recent searches</p>}
          {found?.source === 'device' && (
            <p className="px-4 pt-3">
              <OnDeviceMark />
            </p>
          )}
          {words !== '' && found?.rows.length === 0 && !isBusy && (
            <p className="px-4 pt-3 text-sm text-muted">No one found yet.</p>
          )}
          <ul id={`${id}-list`} role="listbox" aria-label="People" aria-busy={isBusy} className="p-1.5">
            {suggestions.map((suggestion, n) => (
              <li
                key={suggestion.key}
                id={`${id}-${n}`}
                role="option"
                aria-selected={n === active}
                className={`menu-row !font-normal ${n === active ? 'bg-base-200' : ''}`}
                // Keeps the focus in the field, because the list closes when the field loses it.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => open(suggestion)}
              >
                <SuggestionContent suggestion={suggestion} words={words} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </form>
  );
}

function SuggestionContent({
  suggestion: { row, words: recentQuery },
  words,
}: {
  suggestion: Suggestion;
  words: string;
}) {
  if (words === '') {
    return (
      <>
        <History className="ic text-muted" aria-hidden />
        <span className="truncate">{recentQuery}</span>
      </>
    );
  }
  if (!row) {
    return (
      <>
        <Search className="ic text-muted" aria-hidden />
        <span className="truncate font-semibold text-primary">All results for {words}</span>
      </>
    );
  }
  return (
    <>
      <Avatar name={row.stage_name} src={row.profile_photo} size="size-10" decorative />
      <span className="min-w-0 leading-snug">
        <span className="block truncate">
          {splitMatches(row.stage_name, words).map(({ text, isMatch }, n) =>
            isMatch ? <b key={n}>{text}</b> : <span key={n}>{text}</span>,
          )}
        </span>
        <span className="block truncate text-sm text-muted">
          {[row.profile_type.name, row.location].filter(Boolean).join(', ')}
        </span>
      </span>
    </>
  );
}
