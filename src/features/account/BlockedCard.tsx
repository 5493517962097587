import { CALLS } from '#contract/calls.ts';
import type { BlockRecord } from '#contract/records/people.ts';
import { agoText } from '#lib/dates.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#session/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { confirm } from '#ui/confirm.tsx';
import { toast } from '#ui/Toast.tsx';
import { NeedsSignal } from './NeedsSignal.tsx';
import { ServerListCard } from './ServerListCard.tsx';
import { useServerList } from './use-server-list.ts';

/** Whom this person has blocked, with the way back. */
export function BlockedCard() {
  const isOnline = useOnline();
  const [shown, refresh] = useServerList<BlockRecord>(CALLS.blocks);
  const unblock = async ({ user_id, name }: BlockRecord) => {
    const sure = await confirm({
      title: `Unblock ${name}?`,
      text: 'You find each other again. What the block ended does not come back by itself.',
      yes: 'Unblock',
    });
    if (!sure) return;
    const answer = await call(CALLS.unblock, { params: { userId: user_id } });
    // Lifted meanwhile from elsewhere: what was wanted is so.
    if (!answer.ok && answer.error.reason !== 'missing') return toast({ text: answer.error.message });
    await refresh();
    toast({ text: `${name} is no longer blocked` });
  };
  return (
    <ServerListCard
      title="Blocked people"
      loading="Loading whom you have blocked"
      empty="You have blocked nobody."
      shown={shown}
      row={(row, at) => (
        <li key={row.user_id} className="flex items-center gap-3 border-t border-base-300 py-2.5 first:border-t-0">
          <div className="min-w-0 grow leading-snug">
            <div className="font-semibold break-words">{row.name}</div>
            <div className="text-sm text-muted">Blocked {agoText(Date.parse(row.created_at), at).toLowerCase()}</div>
          </div>
          {isOnline && (
            <Button look="line" aria-label={`Unblock ${row.name}`} onClick={() => void unblock(row)}>
              Unblock
            </Button>
          )}
        </li>
      )}
    >
      {shown.kind === 'list' && shown.rows.length > 0 && <NeedsSignal doing="Unblocking">{null}</NeedsSignal>}
    </ServerListCard>
  );
}
