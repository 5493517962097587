import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import type { SessionRecord } from '#contract/records/account.ts';
import { queueSummary } from '#db/queue-summary.ts';
import { agoText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { ServerListCard } from './ServerListCard.tsx';
import { useServerList } from './use-server-list.ts';

/**
 * The devices on which the person is signed in, with the number of unsent changes on each. Other devices can be signed out.
 * @param refreshKey a new value causes a refetch
 */
export function Sessions({ refreshKey }: { refreshKey: number }) {
  const queue = useQuery(queueSummary, []);
  const [sessions, remove] = useServerList<SessionRecord>(ACCOUNT_CALLS.sessions, refreshKey);

  /** Uses the local outbox for this device, because the server's count may be older. */
  const getUnsentText = ({ current, pending }: SessionRecord) => {
    if (!current) return pending > 0 ? ` · ${count(pending, 'change')} ${pending === 1 ? 'waits' : 'wait'} there` : '';
    const unsentCount = queue ? queue.waiting + queue.sending + queue.needs : 0;
    return unsentCount > 0 ? ` · ${count(unsentCount, 'change')} ${unsentCount === 1 ? 'waits' : 'wait'} here` : '';
  };
  const end = (row: SessionRecord) => {
    const unsentWarning =
      row.pending > 0
        ? ` ${count(row.pending, 'change')} still ${row.pending === 1 ? 'waits' : 'wait'} to be sent there.`
        : '';
    return remove({
      confirmation: {
        title: `Sign out ${row.device}?`,
        text: `To use Callboard there again, you will need your password.${unsentWarning}`,
        yes: 'Sign out',
      },
      call: ACCOUNT_CALLS.endSession,
      params: { id: row.id },
      doneText: `${row.device} has been signed out`,
    });
  };
  const getLastSeenText = (row: SessionRecord, fetchedAt: number) =>
    row.current ? 'This device' : `Last seen ${agoText(Date.parse(row.last_seen_at), fetchedAt).toLowerCase()}`;
  const getPlaceText = ({ place }: SessionRecord) => (place ? ` · probably ${place}` : '');

  return (
    <ServerListCard
      title="Signed in on"
      loadingLabel="Loading your devices"
      resource={sessions}
      toLine={(row, fetchedAt) => ({
        key: row.id,
        name: row.device,
        detail: getLastSeenText(row, fetchedAt) + getPlaceText(row) + getUnsentText(row),
        ...(!row.current && { action: { label: 'Sign out', onPress: () => void end(row) } }),
      })}
    />
  );
}
