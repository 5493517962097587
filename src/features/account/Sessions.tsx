import { CALLS } from '#contract/calls.ts';
import type { SessionRecord } from '#contract/records/account.ts';
import { queueSummary } from '#db/queries.ts';
import { agoText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { ServerListCard } from './ServerListCard.tsx';
import { useServerList } from './use-server-list.ts';

/**
 * Where the person is signed in, with what waits there; any other device can be signed out from here. Needs signal and
 * looks again when it is back.
 * @param round changes when the list is known to be old
 */
export function Sessions({ round }: { round: number }) {
  const queue = useQuery(queueSummary, []);
  const [shown, takeOff] = useServerList<SessionRecord>(CALLS.sessions, round);

  /** Of this device the queue itself knows best. */
  const waits = ({ current, pending }: SessionRecord) => {
    if (!current) return pending > 0 ? ` · ${pending} waiting there` : '';
    const here = queue ? queue.waiting + queue.sending + queue.needs : 0;
    return here > 0 ? ` · ${here} waiting here` : '';
  };
  const end = (row: SessionRecord) => {
    const waits =
      row.pending > 0
        ? ` ${count(row.pending, 'change')} still ${row.pending === 1 ? 'waits' : 'wait'} to be sent there.`
        : '';
    return takeOff({
      sure: {
        title: `Sign out ${row.device}?`,
        text: `To use Callboard there again, you will need your password.${waits}`,
        yes: 'Sign out',
      },
      call: CALLS.endSession,
      params: { id: row.id },
      done: `${row.device} has been signed out`,
    });
  };
  const seen = (row: SessionRecord, at: number) =>
    row.current ? 'This device' : `Last seen ${agoText(Date.parse(row.last_seen_at), at).toLowerCase()}`;

  return (
    <ServerListCard
      title="Signed in on"
      loading="Loading your devices"
      shown={shown}
      line={(row, at) => ({
        key: row.id,
        name: row.device,
        detail: seen(row, at) + waits(row),
        ...(!row.current && { action: { word: 'Sign out', onPress: () => void end(row) } }),
      })}
    />
  );
}
