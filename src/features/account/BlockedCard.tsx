import { CALLS } from '#contract/calls.ts';
import type { BlockRecord } from '#contract/records/people.ts';
import { agoText } from '#lib/dates.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { OnlineOnly } from './OnlineOnly.tsx';
import { ServerListCard } from './ServerListCard.tsx';
import { useServerList } from './use-server-list.ts';

/** Whom this person has blocked, with the way back. */
export function BlockedCard() {
  const isOnline = useOnline();
  const [shown, takeOff] = useServerList<BlockRecord>(CALLS.blocks);
  const unblock = ({ user_id, name }: BlockRecord) =>
    takeOff({
      sure: {
        title: `Unblock ${name}?`,
        text: 'You will find each other again. To connect again, one of you has to send a request.',
        yes: 'Unblock',
      },
      call: CALLS.unblock,
      params: { userId: user_id },
      done: `${name} has been unblocked`,
    });
  return (
    <ServerListCard
      title="Blocked people"
      loading="Loading blocked people"
      empty="You haven’t blocked anyone."
      shown={shown}
      line={(row, at) => ({
        key: row.user_id,
        name: row.name,
        detail: `Blocked ${agoText(Date.parse(row.created_at), at).toLowerCase()}`,
        ...(isOnline && { action: { word: 'Unblock', onPress: () => void unblock(row) } }),
      })}
    >
      {shown.kind === 'here' && shown.data.length > 0 && <OnlineOnly doing="Unblocking">{null}</OnlineOnly>}
    </ServerListCard>
  );
}
