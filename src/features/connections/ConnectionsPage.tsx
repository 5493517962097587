import { useSearchParams } from 'react-router-dom';
import { networkOf } from '#db/network.ts';
import { FirstPull } from '#shared/FirstPull.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { usePageTitle } from '#ui/page-title.ts';
import { useNow } from '#ui/use-now.ts';
import { Filters } from './Filters.tsx';
import { useIndustries } from './industries.ts';
import { Invitations } from './Invitations.tsx';
import { Network } from './Network.tsx';
import { Recommended } from './Recommended.tsx';
import { useSuggestions } from './use-suggestions.ts';

const NOBODY = { ties: [], blocked: new Set<string>(), isRead: false } as const;

/** Whom one knows, who asks, and whom one might ask. Read from this device, so it is the same without signal. */
export function ConnectionsPage() {
  usePageTitle('Connections');
  const now = useNow();
  const [params, setParams] = useSearchParams();
  const { ties, blocked, isRead } = useQuery(networkOf, []) ?? NOBODY;
  const suggested = useSuggestions() ?? [];
  const known = ties.filter((tie) => tie.is === 'connected' && !tie.isAccepting);
  const asked = ties.filter((tie) => tie.is !== 'connected' || tie.isAccepting);
  const industries = useIndustries(known);
  const industry = industries.find(({ id }) => id === params.get('industry'));
  const near = new Set(ties.map(({ userId }) => userId));
  const strangers = suggested.filter(({ user_id }) => !near.has(String(user_id)) && !blocked.has(String(user_id)));
  const choose = (id: string) => setParams(id === '' ? {} : { industry: id }, { replace: true });
  return (
    <div className="mx-auto max-w-[1216px] px-3 pt-1 pb-6 md:px-6 md:pt-6">
      <h1 className="sr-only">Connections</h1>
      <div className="grid grid-cols-1 gap-3 md:grid-cols-[232px_minmax(0,1fr)] md:gap-6">
        <div>
          <Filters
            all={isRead || known.length > 0 ? known.length : undefined}
            industries={industries}
            value={industry?.id ?? ''}
            onChange={choose}
          />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-3 md:gap-4">
          {asked.length > 0 && <Invitations ties={asked} now={now} />}
          {strangers.length > 0 && <Recommended people={strangers} />}
          {isRead || ties.length > 0 ? (
            <Network key={industry?.id} ties={known} industry={industry} now={now} />
          ) : (
            <FirstPull label="Loading your connections" className="" />
          )}
        </div>
      </div>
    </div>
  );
}
