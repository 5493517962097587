import { CALLS } from '#contract/calls.ts';
import type { BlockRecord } from '#contract/records/people.ts';
import { agoText } from '#lib/dates.ts';
import { useOnline } from '#session/use-online.ts';
import { NeedsSignal } from './NeedsSignal.tsx';
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
        text: 'You find each other again. What the block ended does not come back by itself.',
        yes: 'Unblock',
      },
      call: CALLS.unblock,
      params: { userId: user_id },
      done: `${name} is no longer blocked`,
    });
  return (
    <ServerListCard
      title="Blocked people"
      loading="Loading whom you have blocked"
      empty="You have blocked nobody."
      shown={shown}
      line={(row, at) => ({
        key: row.user_id,
        name: row.name,
        detail: `Blocked ${agoText(Date.parse(row.created_at), at).toLowerCase()}`,
        ...(isOnline && { action: { word: 'Unblock', onPress: () => void unblock(row) } }),
      })}
    >
      {shown.kind === 'here' && shown.data.length > 0 && <NeedsSignal doing="Unblocking">{null}</NeedsSignal>}
    </ServerListCard>
  );
}
