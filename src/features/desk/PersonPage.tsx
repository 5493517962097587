import { UserX } from 'lucide-react';
import { useState } from 'react';
import { DESK_CALLS } from '#contract/desk-calls.ts';
import type { DeskPersonDetail } from '#contract/records/desk.ts';
import { useSession } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { useParams } from '#ui/router.tsx';
import { ActSheet, type PlannedAct } from './ActSheet.tsx';
import { DeskFrame } from './DeskFrame.tsx';
import { Late } from './Late.tsx';
import { Log } from './Log.tsx';
import { getPersonOffer } from './offer.ts';
import { OperatorMenu } from './OperatorMenu.tsx';
import { PersonHead } from './PersonHead.tsx';
import { useDesk } from './use-desk.ts';

/** A person with the acts that concern them, without a report. */
export function PersonPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { user } = useSession();
  const isOnline = useOnline();
  const viewer = { id: user?.id ?? '', isOperator: user?.role === 'operator' };
  const [plan, setPlan] = useState<PlannedAct | null>(null);
  const [late, setLate] = useState<string | null>(null);
  const { result, refetch } = useDesk<DeskPersonDetail>(DESK_CALLS.person, { id });
  return (
    <DeskFrame title="Person" result={result} onRetry={refetch}>
      {({ person, log }) => {
        const offer = getPersonOffer(person, viewer);
        const after = { onDone: refetch, onLate: setLate };
        return (
          <div className="space-y-3">
            <h1 className="sr-only">{person.name}</h1>
            <PersonHead person={person} context={person} />
            <Card title="Decide">
              <Late text={late} />
              {offer.note !== null && <p className="pb-2 text-muted">{offer.note}</p>}
              {isOnline ? (
                <div className="grid grid-cols-2 gap-2">
                  {offer.canSuspend && (
                    <Button
                      look="line"
                      icon={UserX}
                      className="border-error text-error"
                      onClick={() =>
                        setPlan({
                          act: 'suspend',
                          title: `Suspend ${person.name}`,
                          target: { type: 'user', id: person.id },
                          person,
                          reportId: null,
                          reason: 'other',
                        })
                      }
                    >
                      Suspend
                    </Button>
                  )}
                  {offer.hasMenu && (
                    <OperatorMenu
                      person={person}
                      reportId={null}
                      reason="other"
                      canRemove={offer.canRemove}
                      onPlan={setPlan}
                    />
                  )}
                </div>
              ) : (
                <p className="font-medium text-phone">Decisions need signal.</p>
              )}
            </Card>
            <Card title="Log">
              <Log entries={log} {...after} />
            </Card>
            {plan && <ActSheet plan={plan} isOperator={viewer.isOperator} onClose={() => setPlan(null)} {...after} />}
          </div>
        );
      }}
    </DeskFrame>
  );
}
