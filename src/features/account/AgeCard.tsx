import { Hourglass, Pencil, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import type { Account, AgeRequest } from '#contract/records/consent.ts';
import { dayText } from '#lib/dates.ts';
import { call } from '#net/client.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { toast } from '#ui/Toast.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { BornOnSheet } from './BornOnSheet.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { ResourceState } from './ResourceState.tsx';
import { useServerResource } from './use-server-resource.ts';

const NOT_HERE = '';

/**
 * The date of birth, a correction that the desk checks, and what it decided.
 * @param onChanged called after something was changed that other cards show
 */
export function AgeCard({ onChanged }: { onChanged: () => void }) {
  const { resource, refetch } = useServerResource<Account>(CONSENT_CALLS.account, { missingMessage: NOT_HERE });
  const sheet = useSheetParam('change');
  if (resource.status === 'unavailable' && resource.message === NOT_HERE) return null;
  if (resource.status !== 'loaded') {
    return (
      <Card title="Date of birth">
        <ResourceState resource={resource} loadingLabel="Loading your date of birth" height="h-20" />
      </Card>
    );
  }
  const account = resource.data;
  const request = account.age_request ?? null;
  return (
    <Card title="Date of birth">
      <p className="font-semibold">{account.born_on === null ? 'Not given yet' : dayText(account.born_on)}</p>
      <p className="text-muted">Other people never see it. It protects people under 18.</p>
      {request?.state === 'open' && <Waiting request={request} bornOn={account.born_on} onTakenBack={refetch} />}
      {request?.state === 'declined' && <Declined request={request} />}
      <OnlineOnly doing="Correcting it">
        {request?.state !== 'open' && (
          <Button look="line" icon={Pencil} className="mt-3" onClick={() => sheet.open('born-on')}>
            {request ? 'Ask again' : account.born_on === null ? 'Add date of birth' : 'Correct date of birth'}
          </Button>
        )}
      </OnlineOnly>
      {sheet.value === 'born-on' && (
        <BornOnSheet
          account={account}
          onClose={sheet.close}
          onDone={async () => {
            await refetch();
            onChanged();
          }}
        />
      )}
    </Card>
  );
}

interface WaitingProps {
  request: AgeRequest;
  bornOn: string | null;
  onTakenBack: () => Promise<void>;
}

/** A request that the desk has not decided, with the way to take it back. */
function Waiting({ request, bornOn, onTakenBack }: WaitingProps) {
  const [isBusy, setIsBusy] = useState(false);
  const takeBack = async () => {
    if (isBusy) return;
    setIsBusy(true);
    const answer = await call<{ message: string }>(CONSENT_CALLS.withdrawBornOn, { key: crypto.randomUUID() });
    setIsBusy(false);
    toast({ text: answer.ok ? answer.data.message : answer.error.message });
    // Also after a refusal: it was decided meanwhile, or taken back on another device.
    await onTakenBack();
  };
  return (
    <div className="mt-3 rounded-xl bg-base-200 p-3.5" role="status">
      <p className="flex gap-2.5 font-semibold">
        <Hourglass className="ic mt-1 shrink-0 text-phone" aria-hidden />
        We are checking {dayText(request.born_on)}
      </p>
      <p className="mt-1 text-sm text-muted">
        You asked on {dayText(request.asked_at)}. Until a person has decided,{' '}
        {bornOn === null ? 'the date of before' : dayText(bornOn)} counts, and nothing changes. We tell you by e-mail.
      </p>
      {request.reason !== null && (
        <p className="mt-1 text-sm break-words whitespace-pre-line text-muted">You wrote: {request.reason}</p>
      )}
      <OnlineOnly doing="Taking it back">
        <Button look="line" icon={Undo2} className="mt-3" aria-disabled={isBusy} onClick={() => void takeBack()}>
          {isBusy ? 'One moment…' : 'Take it back'}
        </Button>
      </OnlineOnly>
    </div>
  );
}

/** Why the desk has not corrected the date. */
function Declined({ request }: { request: AgeRequest }) {
  return (
    <div className="mt-3">
      <p className="font-medium text-needs">We did not change it to {dayText(request.born_on)}.</p>
      <blockquote className="mt-2 rounded-xl bg-base-200 p-3.5 leading-relaxed break-words whitespace-pre-line">
        {request.words}
      </blockquote>
    </div>
  );
}
