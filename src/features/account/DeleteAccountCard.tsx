import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { ownProfiles } from '#db/queries.ts';
import { queueSummary } from '#db/queue-summary.ts';
import { countTakes } from '#db/takes.ts';
import { count } from '#lib/text.ts';
import { call } from '#net/client.ts';
import { useSession } from '#session/session.tsx';
import { withFreshSignIn } from '#shared/fresh-sign-in/with-fresh-sign-in.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { FormSummary } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { appErrorToFormErrors, getSummary } from './form-errors.ts';
import { OnlineOnly } from './OnlineOnly.tsx';
import { getProfileTypeName } from './profile-type-name.ts';

/** The card for deleting the account. */
export function DeleteAccountCard() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card title="Delete account">
      <p className="text-muted">Deletes everything you have here for good. Nobody can bring it back.</p>
      <OnlineOnly doing="Deleting it">
        <Button look="line" icon={Trash2} className="mt-3 !text-needs" onClick={() => setIsOpen(true)}>
          Delete account
        </Button>
      </OnlineOnly>
      {isOpen && <DeleteSheet onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

function DeleteSheet({ onClose }: { onClose: () => void }) {
  const { signOut } = useSession();
  const profiles = useQuery(ownProfiles, []);
  const queue = useQuery(queueSummary, []);
  const unsent = queue ? queue.waiting + queue.sending + queue.needs : 0;
  const takes = useQuery(countTakes, []) ?? 0;
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const remove = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setProblem(null);
    try {
      const answer = await withFreshSignIn(() => call(ACCOUNT_CALLS.deleteAccount, { body: {} }));
      if (answer === null) return;
      if (!answer.ok) return setProblem(getSummary(appErrorToFormErrors(answer.error, [], 'Deleting your account')));
      onClose();
      toast({ text: 'Your account has been deleted' });
      await signOut('account gone');
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Sheet
      title="Delete account?"
      onClose={onClose}
      foot={
        <>
          <Button look="line" className="flex-1" onClick={onClose}>
            Keep my account
          </Button>
          <Button look="danger" className="flex-1" aria-disabled={isBusy} onClick={() => void remove()}>
            {isBusy ? 'Deleting…' : 'Delete for good'}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <FormSummary text={problem} />
        <p>This will be deleted:</p>
        <ul className="list-disc space-y-1 pl-5">
          {(profiles ?? []).map((item) => (
            <li key={item.key}>
              <b className="font-semibold">{String(item.body['stage_name'] ?? '')}</b>
              {getProfileTypeName(item.body) && `, ${getProfileTypeName(item.body)}`}: every section, picture and file
            </li>
          ))}
          <li>Your connections, conversations and saved profiles</li>
          {unsent > 0 && (
            <li className="font-semibold text-needs">
              {count(unsent, 'change')} on this device that haven’t been sent
            </li>
          )}
          {takes > 0 && (
            <li className="font-semibold text-needs">{count(takes, 'take')} of the tape booth on this device</li>
          )}
          <li>You will be signed out on every device</li>
        </ul>
        <p className="text-muted">If you want to keep anything, export your ZIP first.</p>
      </div>
    </Sheet>
  );
}
