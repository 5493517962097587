import { useCallback, type ReactNode } from 'react';
import { saveSearch } from '#db/found-people.ts';
import { count as counted } from '#lib/text.ts';
import { useSession } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/Field.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { lazyOptional } from '#ui/lazy-part.ts';
import { useSearchParams } from '#ui/router.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { FilterChips } from './FilterChips.tsx';
import { FilterFields } from './FilterFields.tsx';
import { RecentSearches } from './RecentSearches.tsx';
import { Results } from './Results.tsx';
import { SearchField } from './SearchField.tsx';
import { SHEET, useFilters, useDebouncedText } from './use-filters.ts';
import { useFilterOptions } from './use-filter-options.ts';
import { usePeopleSearch } from './use-people-search.ts';

const PAGE_SIZE = 24;

const ShortlistSearch = lazyOptional<{ roleId: string; children: ReactNode }>(
  async () => (await import('#shared/casting/ShortlistSearch.tsx')).ShortlistSearch,
  ({ children }) => children,
);

/** Searches people by text and filters, all of which are in the URL. */
export function SearchPage() {
  usePageTitle('Search');
  const { account, state: session } = useSession();
  const sheet = useSheetParam(SHEET);
  const state = useFilters(sheet.isOpen);
  const { filters, count, change, clear } = state;
  const options = useFilterOptions();
  const people = usePeopleSearch(filters, PAGE_SIZE, true);
  const words = filters.q ?? '';
  const note = useCallback(
    (query: string) => {
      if (account) void toastOnError(saveSearch(account.db, query));
    },
    [account],
  );
  const setWords = (q: string) => change({ q }, 'typing');
  const { found } = people;
  const shortlist = useSearchParams()[0].get('shortlist');
  const results = <Results {...people} clear={count > 0 ? clear : null} onOpen={() => note(words)} />;
  return (
    <div className="mx-auto max-w-[1216px] px-3 pb-6 md:grid md:grid-cols-[264px_minmax(0,1fr)] md:items-start md:gap-6 md:px-6 md:pt-6">
      <SearchField words={words} onChange={setWords} onEnter={note} isBar={session === 'signed in'} />
      <aside className="notice hidden space-y-4 p-5 md:block" aria-label="Filters">
        <QueryField words={words} onChange={setWords} onEnter={note} />
        <FilterFields {...state} options={options} />
        {count > 0 && (
          <Button look="line" className="w-full" onClick={clear}>
            Clear the filters
          </Button>
        )}
      </aside>
      <div>
        <FilterChips {...state} options={options} onOpenAll={() => sheet.open()} />
        {words === '' && count === 0 && <RecentSearches onPick={(q) => change({ q })} />}
        {account && shortlist !== null ? <ShortlistSearch roleId={shortlist}>{results}</ShortlistSearch> : results}
      </div>
      {sheet.isOpen && (
        <Sheet
          title="Filters"
          onClose={sheet.close}
          foot={
            <>
              <Button look="line" onClick={clear} disabled={count === 0}>
                Clear
              </Button>
              <Button onClick={sheet.close}>
                {found?.status === 'loaded'
                  ? `Show ${people.more ? 'over ' : ''}${counted(found.rows.length, 'person', 'people')}`
                  : 'Show'}
              </Button>
            </>
          }
        >
          <FilterFields {...state} options={options} />
        </Sheet>
      )}
    </div>
  );
}

interface QueryFieldProps {
  words: string;
  onChange: (words: string) => void;
  onEnter: (words: string) => void;
}

function QueryField({ words, onChange, onEnter }: QueryFieldProps) {
  const typed = useDebouncedText(words, onChange);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        typed.flush();
        onEnter(typed.value);
      }}
    >
      <TextField name="q" label="Name, skill or project" kind="search" value={typed.value} onChange={typed.onChange} />
    </form>
  );
}
