import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import { LIMITS } from '#contract/limits.ts';
import { changePasswordBody } from '#contract/records/account.ts';
import { call } from '#net/client.ts';
import { renewExclusively, storeRenewedToken } from '#session/renew-token.ts';
import { useAccount } from '#session/session.tsx';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { focusFirstInvalid, FormSummary, TextField } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { useAccountForm } from './use-account-form.ts';

/** The card for changing the password. `onChanged` is called when the server has signed out the other devices. */
export function PasswordCard({ onChanged }: { onChanged: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card title="Password">
      <p className="text-muted">A new password signs out all your other devices. Unsent changes stay safe there.</p>
      <OnlineOnly doing="Changing it">
        <Button look="line" icon={KeyRound} className="mt-3" onClick={() => setIsOpen(true)}>
          Change password
        </Button>
      </OnlineOnly>
      {isOpen && <PasswordSheet onChanged={onChanged} onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

function PasswordSheet({ onChanged, onClose }: { onChanged: () => void; onClose: () => void }) {
  const { user } = useAccount();
  const body = useRef<HTMLDivElement>(null);
  const form = useAccountForm({
    initial: { current_password: '', password: '' },
    check: (values) => changePasswordBody.safeParse(values),
    send: async (value) => {
      const answer = await renewExclusively(async () => {
        const changed = await call<{ token?: string }>(CALLS.changePassword, { body: { ...value, renew_token: true } });
        if (changed.ok && changed.data.token) await storeRenewedToken(changed.data.token);
        return changed;
      });
      if (!answer.ok) return answer;
      onClose();
      onChanged();
      toast({ text: 'Password changed. Your other devices are signed out' });
      return { ok: true };
    },
    doing: 'Changing your password',
  });
  useEffect(() => {
    if (Object.keys(form.errors.fields).length > 0) focusFirstInvalid(body.current);
  }, [form.errors]);
  return (
    <Sheet
      title="Change password"
      dirty={form.isTouched}
      keepText="The new password has not been saved. Your old one still works."
      onClose={onClose}
      onSubmit={form.submit}
      foot={
        <FormFoot onDiscard={onClose} aria-disabled={form.isBusy}>
          {form.isBusy ? 'Changing…' : 'Change password'}
        </FormFoot>
      }
    >
      <div ref={body} className="space-y-4">
        <FormSummary text={form.errors.summary} />
        {/* Tells password managers which account the new password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <TextField
          label="Current password"
          kind="password"
          autoComplete="current-password"
          {...form.field('current_password')}
        />
        <TextField
          label="New password"
          kind="password"
          autoComplete="new-password"
          hint={`At least ${LIMITS.passwordMin} characters`}
          {...form.field('password')}
        />
      </div>
    </Sheet>
  );
}
