import { Check, UserX } from 'lucide-react';
import { detectScamSign } from '#contract/scam-words.ts';
import type { ConnectionView } from '#db/network.ts';
import { PersonLine } from '#shared/people/PersonLine.tsx';
import { usePeopleActions } from '#shared/people/use-people-actions.ts';
import { Button } from '#ui/Button.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { ScamWarning } from '#shared/chat/ScamWarning.tsx';

/** People who asked to connect, with their notes. They cannot send messages until the user accepts. */
export function MessageRequests({ connections }: { connections: readonly ConnectionView[] }) {
  const actions = usePeopleActions();
  return (
    <ul className="px-4">
      {connections.map((connection) => {
        const { name, message, connectionId } = connection;
        const person = { userId: connection.userId, name };
        const sign = message === null ? null : detectScamSign(message);
        return (
          <li key={connection.userId} className="border-t border-base-300 py-3 first:border-t-0">
            <PersonLine person={connection}>
              <span className="mt-1 block empty:hidden">
                <StatePill state={connection.syncState} />
              </span>
            </PersonLine>
            {message !== null && (
              <p
                dir="auto"
                className="mt-2 rounded-2xl bg-base-200 px-3.5 py-2.5 text-[0.9375rem] break-words whitespace-pre-line"
              >
                {message}
              </p>
            )}
            {sign && <ScamWarning sign={sign} />}
            <div className="mt-2 flex flex-wrap gap-2">
              {connectionId !== null && (
                <Button icon={Check} aria-label={`Accept ${name}`} onClick={() => actions.accept(person, connectionId)}>
                  Accept
                </Button>
              )}
              <Button
                look="line"
                icon={UserX}
                aria-label={`Ignore ${name}`}
                onClick={() => actions.decline(person, connectionId)}
              >
                Ignore
              </Button>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
