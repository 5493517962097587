import { Clock } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Tie } from '#db/network.ts';
import { agoText } from '#lib/dates.ts';
import { PersonLine } from '#shared/people/PersonLine.tsx';
import { PersonMenu } from '#shared/people/PersonMenu.tsx';
import { usePeopleActs } from '#shared/people/use-people-acts.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { deviceWord } from '#ui/device.ts';
import { DeviceIcon, StatePill } from '#ui/StatePill.tsx';

/** Where a wish about somebody is: with ours to do, the way to it. */
export function TieState({ tie }: { tie: Tie }) {
  if (tie.state === 'needs') {
    return (
      <Link to="/waiting" className="inline-flex min-h-11 items-center" aria-label={`${tie.name} needs you`}>
        <StatePill state="needs" />
      </Link>
    );
  }
  if (tie.isAccepting && tie.state === 'phone') {
    return (
      <span className="state state-phone">
        <DeviceIcon />
        <span>Accepted, on this {deviceWord()}</span>
      </span>
    );
  }
  return <StatePill state={tie.state} />;
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function Row({ tie, now }: { tie: Tie; now: number }) {
  const acts = usePeopleActs();
  const whom = { userId: tie.userId, name: tie.name };
  const when = tie.at === null ? null : lower(agoText(Date.parse(tie.at), now));
  return (
    <li className="border-t border-base-300 py-3 first:border-t-0">
      <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
        <div className="min-w-0 grow basis-40">
          <PersonLine person={tie}>
            {tie.is === 'pending' && when && <span className="block text-sm text-muted">You asked {when}</span>}
            {tie.is === 'asked' && when && <span className="block text-sm text-muted">Asked {when}</span>}
          </PersonLine>
        </div>
        <div className="flex shrink-0 items-center gap-1">
          {tie.is === 'asked' && tie.connectionId !== null && (
            <Button onClick={() => acts.accept(whom, tie.connectionId!)} aria-label={`Accept ${tie.name}`}>
              Accept
            </Button>
          )}
          {tie.is === 'pending' && (
            <Button
              look="tonal"
              icon={Clock}
              disabled
              className="!border-transparent !bg-base-200 !px-3 !text-muted"
              aria-label={`Pending: ${tie.name} has not answered yet`}
            >
              Pending
            </Button>
          )}
          <PersonMenu whom={whom} tie={tie} />
        </div>
      </div>
      <div className="mt-1 pl-15 empty:hidden sm:pl-17">
        <TieState tie={tie} />
      </div>
      {tie.message && (
        <p className="mt-2 ml-15 rounded-2xl bg-base-200 px-3.5 py-2.5 text-[0.9375rem] break-words whitespace-pre-line sm:ml-17">
          {tie.message}
        </p>
      )}
    </li>
  );
}

/** Who asks, and whom one has asked. */
export function Invitations({ ties, now }: { ties: readonly Tie[]; now: number }) {
  const rank = (tie: Tie) => (tie.is === 'asked' ? 0 : tie.isAccepting ? 1 : 2);
  const rows = [...ties].sort((a, b) => rank(a) - rank(b));
  const asked = rows.filter(({ is }) => is === 'asked').length;
  return (
    <Card title="Invitations" {...(asked > 0 && { count: asked })}>
      <ul>
        {rows.map((tie) => (
          <Row key={tie.userId} tie={tie} now={now} />
        ))}
      </ul>
    </Card>
  );
}
