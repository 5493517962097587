import { History } from 'lucide-react';
import { clearSearches, readRecentSearches } from '#db/found-people.ts';
import { useSession } from '#session/session.tsx';
import { useStoreQuery } from '#shared/queries/use-query.ts';
import { toastOnError } from '#shared/error-text.ts';

/** Returns the recent searches of this device; none for a visitor. */
export function useRecentSearches(): string[] {
  const { account } = useSession();
  return useStoreQuery(account?.db ?? null, readRecentSearches, []) ?? [];
}

/** The recent searches, shown on a phone while no search is set. */
export function RecentSearches({ onPick }: { onPick: (words: string) => void }) {
  const { account } = useSession();
  const recent = useRecentSearches();
  if (recent.length === 0) return null;
  return (
    <section className="pb-2 md:hidden" aria-labelledby="recent-searches">
      <div className="flex min-h-11 items-center px-1">
        <h2 id="recent-searches" className="grow text-sm font-semibold text-muted">
          Recent searches
        </h2>
        <button
          type="button"
          className="tap text-sm font-semibold text-primary"
          onClick={() => account && void toastOnError(clearSearches(account.db))}
        >
          Clear
        </button>
      </div>
      <ul className="notice overflow-hidden">
        {recent.map((words) => (
          <li key={words} className="border-t border-base-300 first:border-t-0">
            <button
              type="button"
              className="flex min-h-12 w-full cursor-pointer items-center gap-3 px-4 text-left"
              onClick={() => onPick(words)}
            >
              <History className="ic text-muted" aria-hidden />
              <span className="truncate">{words}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
