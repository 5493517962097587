import { CALLS } from '#contract/calls.ts';
import type { BlockRecord } from '#contract/records/people.ts';
import { agoText } from '#lib/dates.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { OnlineOnly } from './OnlineOnly.tsx';
import { ServerListCard } from './ServerListCard.tsx';
import { useServerList } from './use-server-list.ts';

/** The people whom the person has blocked, with buttons to unblock them. */
export function BlockedCard() {
  const isOnline = useOnline();
  const [blocks, remove] = useServerList<BlockRecord>(CALLS.blocks);
  const unblock = ({ user_id, name }: BlockRecord) =>
    remove({
      confirmation: {
        title: `Unblock ${name}?`,
        text: 'You will find each other again. To connect again, one of you has to send a request.',
        yes: 'Unblock',
      },
      call: CALLS.unblock,
      params: { userId: user_id },
      doneText: `${name} has been unblocked`,
    });
  return (
    <ServerListCard
      title="Blocked people"
      loadingLabel="Loading blocked people"
      emptyText="You haven’t blocked anyone."
      resource={blocks}
      toLine={(row, fetchedAt) => ({
        key: row.user_id,
        name: row.name,
        detail: `Blocked ${agoText(Date.parse(row.created_at), fetchedAt).toLowerCase()}`,
        ...(isOnline && { action: { label: 'Unblock', onPress: () => void unblock(row) } }),
      })}
    >
      {blocks.status === 'loaded' && blocks.data.length > 0 && <OnlineOnly doing="Unblocking">{null}</OnlineOnly>}
    </ServerListCard>
  );
}
