import { CALLS } from '#contract/calls.ts';
import type { SessionRecord } from '#contract/records/account.ts';
import { queueSummary } from '#db/queries.ts';
import { agoText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { call } from '#net/client.ts';
import { useQuery } from '#session/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { confirm } from '#ui/confirm.tsx';
import { toast } from '#ui/Toast.tsx';
import { ServerListCard } from './ServerListCard.tsx';
import { useServerList } from './use-server-list.ts';

/**
 * Where the person is signed in, with what waits there; any other device can be signed out from here. Needs signal and
 * looks again when it is back.
 * @param round changes when the list is known to be old
 */
export function Sessions({ round }: { round: number }) {
  const queue = useQuery(queueSummary, []);
  const [shown, refresh] = useServerList<SessionRecord>(CALLS.sessions, round);

  /** Of this device the queue itself knows best. */
  const waits = ({ current, pending }: SessionRecord) => {
    if (!current) return pending > 0 ? ` · ${pending} waiting there` : '';
    const here = queue ? queue.waiting + queue.sending + queue.needs : 0;
    return here > 0 ? ` · ${here} waiting here` : '';
  };
  const end = async (row: SessionRecord) => {
    const waits =
      row.pending > 0 ? ` ${count(row.pending, 'change')} still ${row.pending === 1 ? 'waits' : 'wait'} there.` : '';
    const sure = await confirm({
      title: `Sign out ${row.device}?`,
      text: `It needs the password again.${waits}`,
      yes: 'Sign out',
    });
    if (!sure) return;
    const answer = await call(CALLS.endSession, { params: { id: row.id } });
    // Signed out meanwhile from elsewhere: what was wanted is so.
    if (!answer.ok && answer.error.reason !== 'missing') return toast({ text: answer.error.message });
    await refresh();
    toast({ text: `${row.device} is signed out` });
  };

  return (
    <ServerListCard
      title="Signed in on"
      loading="Loading your devices"
      shown={shown}
      row={(row, at) => (
        <li key={row.id} className="flex items-center gap-3 border-t border-base-300 py-2.5 first:border-t-0">
          <div className="min-w-0 grow leading-snug">
            <div className="truncate font-semibold">{row.device}</div>
            <div className="text-sm text-muted">
              {row.current ? 'This one' : `Last seen ${agoText(Date.parse(row.last_seen_at), at).toLowerCase()}`}
              {waits(row)}
            </div>
          </div>
          {!row.current && (
            <Button look="line" aria-label={`Sign out ${row.device}`} onClick={() => void end(row)}>
              Sign out
            </Button>
          )}
        </li>
      )}
    />
  );
}
