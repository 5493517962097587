import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { deleteAccountBody } from '#contract/records/account.ts';
import { ownProfiles } from '#db/queries.ts';
import { queueSummary } from '#db/queue-summary.ts';
import { count } from '#lib/text.ts';
import { call } from '#net/client.ts';
import { useAccount, useSession } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { focusFirstInvalid, FormSummary, TextField } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { getProfileTypeName } from './profile-type-name.ts';
import { useAccountForm } from './use-account-form.ts';

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
  const { user } = useAccount();
  const { signOut } = useSession();
  const profiles = useQuery(ownProfiles, []);
  const queue = useQuery(queueSummary, []);
  const unsent = queue ? queue.waiting + queue.sending + queue.needs : 0;
  const body = useRef<HTMLDivElement>(null);
  const form = useAccountForm({
    initial: { password: '' },
    check: (values) => deleteAccountBody.safeParse(values),
    send: async (value) => {
      const answer = await call(ACCOUNT_CALLS.deleteAccount, { body: value });
      if (!answer.ok) return answer;
      onClose();
      toast({ text: 'Your account has been deleted' });
      return signOut('account gone');
    },
    doing: 'Deleting your account',
  });
  useEffect(() => {
    if (Object.keys(form.errors.fields).length > 0) focusFirstInvalid(body.current);
  }, [form.errors]);
  return (
    <Sheet
      title="Delete account?"
      onClose={onClose}
      onSubmit={form.submit}
      foot={
        <>
          <Button look="line" className="flex-1" onClick={onClose}>
            Keep my account
          </Button>
          <Button look="danger" type="submit" className="flex-1" aria-disabled={form.isBusy}>
            {form.isBusy ? 'Deleting…' : 'Delete for good'}
          </Button>
        </>
      }
    >
      <div ref={body} className="space-y-4">
        <FormSummary text={form.errors.summary} />
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
          <li>You will be signed out on every device</li>
        </ul>
        <p className="text-muted">If you want to keep anything, export your ZIP first.</p>
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <TextField
          label="Your password"
          kind="password"
          autoComplete="current-password"
          hint="To make sure it’s you"
          {...form.field('password')}
        />
      </div>
    </Sheet>
  );
}
