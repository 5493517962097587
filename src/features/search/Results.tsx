import { Monitor, SearchX, Smartphone, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { SearchRow } from '#contract/records/search.ts';
import { readAllSaved } from '#db/saved-and-connected.ts';
import { count } from '#lib/text.ts';
import { useSession } from '#session/session.tsx';
import { useStoreQuery } from '#shared/queries/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import type { SearchResult } from './find-people.ts';
import { ResultCard } from './ResultCard.tsx';

/** People rendered at first, and added by Show more, if all results are on this device. */
const BATCH_SIZE = 24;

/** How many rows of a result are rendered, so that Back restores the same number. */
const renderedCounts = new WeakMap<readonly SearchRow[], number>();

interface ResultsProps {
  found: SearchResult | null;
  isBusy: boolean;
  more: (() => void) | null;
  retry: () => void;
  /** Clears the filters; null if none is set. */
  clear: (() => void) | null;
  onOpen: () => void;
}

/** The people found, or the reason why there are none. */
export function Results({ found, isBusy, more, retry, clear, onOpen }: ResultsProps) {
  if (found === null) return <ResultsSkeleton />;
  if (found.status === 'refused') {
    return (
      <ErrorPage
        icon={TriangleAlert}
        title="This search does not work"
        text={Object.values(found.error.errors ?? {})[0]?.[0] ?? found.error.message}
        action={clear ? <Button onClick={clear}>Clear the filters</Button> : <Button onClick={retry}>Try again</Button>}
      />
    );
  }
  const isOnDevice = found.source === 'device';
  // A status means that there was an answer, and so signal.
  const hasFailed = found.error !== undefined && found.error.status !== 0;
  if (found.rows.length === 0) {
    return (
      <ErrorPage
        icon={SearchX}
        title={isOnDevice ? `No one found on this ${deviceWord()}` : 'No one found'}
        text={
          isOnDevice
            ? hasFailed
              ? 'The search could not be loaded now. Only people you have seen before were searched.'
              : 'Without signal, you can only search people you have seen before.'
            : 'Try fewer words or fewer filters.'
        }
        action={
          clear && !hasFailed ? (
            <Button onClick={clear}>Clear the filters</Button>
          ) : (
            isOnDevice && <Button onClick={retry}>Try again</Button>
          )
        }
      />
    );
  }
  return <People {...{ found, isBusy, more, onOpen }} retry={hasFailed ? retry : null} />;
}

type PeopleProps = Pick<ResultsProps, 'isBusy' | 'more' | 'onOpen'> & {
  found: SearchResult & { status: 'loaded' };
  /** Searches again after the server answered with an error; null if it did not. */
  retry: (() => void) | null;
};

function People({ found: { rows, source }, isBusy, more, onOpen, retry }: PeopleProps) {
  const { account } = useSession();
  const db = account?.db ?? null;
  const marks = useStoreQuery(db, (on) => readAllSaved(on, 'saved_profile'), []);
  const [expanded, setExpanded] = useState({ rows, count: renderedCounts.get(rows) ?? BATCH_SIZE });
  const maxRows = source === 'server' ? rows.length : expanded.rows === rows ? expanded.count : BATCH_SIZE;
  const showMore = () => {
    renderedCounts.set(rows, maxRows + BATCH_SIZE);
    setExpanded({ rows, count: maxRows + BATCH_SIZE });
  };
  const handleMore = rows.length > maxRows ? showMore : more;
  return (
    <>
      <div className="flex min-h-12 flex-wrap items-center gap-x-2 px-1 text-sm">
        <h1>
          <b className="num text-base font-bold">
            {more ? `Over ${count(rows.length, 'person', 'people')}` : count(rows.length, 'person', 'people')}
          </b>{' '}
          <span className="text-muted">· best match first</span>
        </h1>
        {source === 'device' && <OnDeviceMark />}
        {retry && (
          <>
            <span role="status">The search could not be loaded now.</span>
            <Button look="plain" onClick={retry}>
              Try again
            </Button>
          </>
        )}
      </div>
      <ul
        className="grid grid-cols-1 gap-2.5 md:grid-cols-2 md:gap-4 lg:grid-cols-3"
        aria-label="People"
        aria-busy={isBusy}
      >
        {rows.slice(0, maxRows).map((row) => (
          <ResultCard
            key={`${row.slug}/${row.profile_type.slug}`}
            row={row}
            // A connection whose profile was never opened has no profile id, so it cannot be saved.
            saved={
              row.id === '' || row.facts?.user_id === account?.user.id
                ? undefined
                : marks?.(row.id, row.facts?.is_saved === 1)
            }
            onOpen={onOpen}
          />
        ))}
      </ul>
      {handleMore && (
        <div className="py-4 text-center">
          <Button look="tonal" onClick={handleMore} disabled={isBusy}>
            Show more people
          </Button>
        </div>
      )}
    </>
  );
}

/** Marks results that come from this device only. */
export function OnDeviceMark() {
  const word = deviceWord();
  const Icon = word === 'computer' ? Monitor : Smartphone;
  return (
    <span className="state state-phone">
      <Icon className="ic" aria-hidden />
      People kept on this {word}
    </span>
  );
}

function ResultsSkeleton() {
  return (
    <Loading label="Searching people">
      <div className="grid grid-cols-1 gap-2.5 pt-12 md:grid-cols-2 md:gap-4 lg:grid-cols-3">
        {[1, 2, 3, 4, 5, 6].map((n) => (
          <Skeleton key={n} className="h-[116px] rounded-box md:h-72" />
        ))}
      </div>
    </Loading>
  );
}
