import { Clock } from 'lucide-react';
import { Link } from '#ui/router.tsx';
import type { ConnectionView } from '#db/network.ts';
import { agoText } from '#lib/dates.ts';
import { PersonLine } from '#shared/people/PersonLine.tsx';
import { PersonMenu } from '#shared/people/PersonMenu.tsx';
import { usePeopleActions } from '#shared/people/use-people-actions.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { deviceWord } from '#ui/device.ts';
import { DeviceIcon, StatePill } from '#ui/StatePill.tsx';

/** The sync state of an intent about somebody; links to Waiting to send if it needs attention. */
export function ConnectionStatePill({ connection }: { connection: ConnectionView }) {
  if (connection.syncState === 'needs') {
    return (
      <Link to="/waiting" className="inline-flex min-h-11 items-center" aria-label={`${connection.name} needs you`}>
        <StatePill state="needs" />
      </Link>
    );
  }
  if (connection.isAccepting && connection.syncState === 'phone') {
    return (
      <span className="state state-phone">
        <DeviceIcon />
        <span>Accepted, on this {deviceWord()}</span>
      </span>
    );
  }
  return <StatePill state={connection.syncState} />;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function Row({ connection, now }: { connection: ConnectionView; now: number }) {
  const actions = usePeopleActions();
  const person = { userId: connection.userId, name: connection.name };
  const when = connection.at === null ? null : lowerFirst(agoText(Date.parse(connection.at), now));
  return (
    <li className="border-t border-base-300 py-3 first:border-t-0">
      <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
        <div className="min-w-0 grow basis-40">
          <PersonLine person={connection}>
            {connection.value === 'pending' && when && (
              <span className="block text-sm text-muted">You asked {when}</span>
            )}
            {connection.value === 'asked' && when && <span className="block text-sm text-muted">Asked {when}</span>}
          </PersonLine>
        </div>
        <div className="flex shrink-0 items-center gap-1">
          {connection.value === 'asked' && connection.connectionId !== null && (
            <Button
              onClick={() => actions.accept(person, connection.connectionId!)}
              aria-label={`Accept ${connection.name}`}
            >
              Accept
            </Button>
          )}
          {connection.value === 'pending' && (
            <Button
              look="tonal"
              icon={Clock}
              disabled
              className="!border-transparent !bg-base-200 !px-3 !text-muted"
              aria-label={`Pending: ${connection.name} has not answered yet`}
            >
              Pending
            </Button>
          )}
          <PersonMenu
            person={person}
            connection={connection}
            about={
              connection.value === 'asked' && connection.connectionId !== null
                ? { type: 'request', id: connection.connectionId, name: `the request from ${person.name}` }
                : undefined
            }
          />
        </div>
      </div>
      <div className="mt-1 pl-15 empty:hidden sm:pl-17">
        <ConnectionStatePill connection={connection} />
      </div>
      {connection.message && (
        <p className="mt-2 ml-15 rounded-2xl bg-base-200 px-3.5 py-2.5 text-[0.9375rem] break-words whitespace-pre-line sm:ml-17">
          {connection.message}
        </p>
      )}
    </li>
  );
}

/** Requests that the person has received, accepted or sent. */
export function Invitations({ connections, now }: { connections: readonly ConnectionView[]; now: number }) {
  const rank = (connection: ConnectionView) => (connection.value === 'asked' ? 0 : connection.isAccepting ? 1 : 2);
  const rows = [...connections].sort((a, b) => rank(a) - rank(b));
  const receivedCount = rows.filter(({ value }) => value === 'asked').length;
  return (
    <Card title="Invitations" {...(receivedCount > 0 && { count: receivedCount })}>
      <ul>
        {rows.map((connection) => (
          <Row key={connection.userId} connection={connection} now={now} />
        ))}
      </ul>
    </Card>
  );
}
