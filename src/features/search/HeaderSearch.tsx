import { History, Search } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from '#ui/router.tsx';
import type { SearchRow } from '#contract/records/search.ts';
import { saveSearch } from '#db/found-people.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { useCombobox } from '#ui/use-combobox.ts';
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
  const people = usePeopleSearch(isOpen && debounced !== '' ? { q: debounced } : null, MAX_SUGGESTIONS, false);
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
 * The search field of the app bar, with suggestions. A second Escape clears it, and '/' focuses it from anywhere.
 */
export function HeaderSearch({ plain }: { plain: RefObject<HTMLInputElement | null> }) {
  const { db } = useAccount();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [params] = useSearchParams();
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
  const open = (suggestion: Suggestion) => {
    setTyped(null);
    field.current?.blur();
    void toastOnError(saveSearch(db, suggestion.words));
    navigate(suggestion.to);
  };
  const { isShown, setOpen, handleKey, fieldProps, listProps, getOptionProps } = useCombobox({
    options: suggestions,
    isOpen,
    onOpenChange: setIsOpen,
    onPick: open,
  });

  return (
    <form
      role="search"
      action="/search"
      className="bar-search relative"
      onSubmit={(event) => {
        event.preventDefault();
        open({ key: 'all', to: words === '' ? '/search' : getResultsPath(words), words });
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <label className="bar-search-box">
        <Search className="ic text-muted" aria-hidden />
        <input
          ref={field}
          id="people-search"
          name="q"
          className="w-full min-w-0 outline-none"
          {...fieldProps}
          aria-label="Search people"
          placeholder="Search people"
          maxLength={200}
          value={text}
          onFocus={() => setIsOpen(true)}
          onClick={() => setIsOpen(true)}
          onChange={({ target }) => {
            setTyped(target.value);
            setOpen(true);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !isShown && !event.nativeEvent.isComposing) setTyped('');
            else handleKey(event);
          }}
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
          <ul {...listProps} aria-label="People" aria-busy={isBusy} className="p-1.5">
            {suggestions.map((suggestion, index) => (
              <li key={suggestion.key} className="menu-row !font-normal" {...getOptionProps(index)}>
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
