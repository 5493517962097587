import { useSearchParams } from '#ui/router.tsx';
import { listQueuedBlocks } from '#db/blocked-people.ts';
import { readNetwork } from '#db/network.ts';
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

const EMPTY_NETWORK = { connections: [], isRead: false } as const;

/** The person's connections, requests and suggestions, read from this device so that they are the same offline. */
export function ConnectionsPage() {
  usePageTitle('Connections');
  const now = useNow();
  const [params, setParams] = useSearchParams();
  const { connections, isRead: isLoaded } = useQuery(readNetwork, []) ?? EMPTY_NETWORK;
  const suggestions = useSuggestions() ?? [];
  const blocks = useQuery(listQueuedBlocks, []) ?? [];
  const connected = connections.filter((connection) => connection.value === 'connected' && !connection.isAccepting);
  const requests = connections.filter((connection) => connection.value !== 'connected' || connection.isAccepting);
  const industries = useIndustries(connected);
  const industry = industries.find(({ id }) => id === params.get('industry'));
  const relatedIds = new Set(connections.map(({ userId }) => userId));
  const shownSuggestions = suggestions.filter(
    ({ user_id }) => !relatedIds.has(String(user_id)) && !blocks.some(({ userId }) => userId === String(user_id)),
  );
  const choose = (id: string) => setParams(id === '' ? {} : { industry: id }, { replace: true });
  return (
    <div className="mx-auto max-w-[1216px] px-3 pt-1 pb-6 md:px-6 md:pt-6">
      <h1 className="sr-only">Connections</h1>
      <div className="grid grid-cols-1 gap-3 md:grid-cols-[232px_minmax(0,1fr)] md:gap-6">
        <div>
          <Filters
            total={isLoaded || connected.length > 0 ? connected.length : undefined}
            industries={industries}
            value={industry?.id ?? ''}
            onChange={choose}
          />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-3 md:gap-4">
          {requests.length > 0 && <Invitations connections={requests} now={now} />}
          {shownSuggestions.length > 0 && <Recommended people={shownSuggestions} />}
          {isLoaded || connections.length > 0 ? (
            <Network key={industry?.id} connections={connected} industry={industry} now={now} />
          ) : (
            <FirstPull label="Loading your connections" className="" />
          )}
        </div>
      </div>
    </div>
  );
}
