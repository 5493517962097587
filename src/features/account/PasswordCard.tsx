import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { LIMITS } from '#contract/limits.ts';
import { changePasswordBody } from '#contract/records/account.ts';
import { call } from '#net/client.ts';
import { renewExclusively, storeRenewedToken } from '#session/renew-token.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { PasswordField } from '#ui/PasswordField.tsx';
import { toast } from '#ui/Toast.tsx';
import { AccountSheet } from './AccountSheet.tsx';
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
  const form = useAccountForm({
    initial: { current_password: '', password: '' },
    check: (values) => changePasswordBody.safeParse(values),
    send: async (value) => {
      const answer = await renewExclusively(async () => {
        const changed = await call<{ token?: string }>(ACCOUNT_CALLS.changePassword, {
          body: { ...value, renew_token: true },
        });
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
  return (
    <AccountSheet
      title="Change password"
      label="Change password"
      busyLabel="Changing…"
      form={form}
      keepText="The new password has not been saved. Your old one still works."
      onClose={onClose}
    >
      <PasswordField label="Current password" autoComplete="current-password" {...form.field('current_password')} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${LIMITS.passwordMin} characters`}
        {...form.field('password')}
      />
    </AccountSheet>
  );
}
