import { AtSign, LogOut, Pencil } from 'lucide-react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { changeEmailBody, changeNameBody, type User } from '#contract/records/account.ts';
import { call } from '#net/client.ts';
import { useAccount } from '#session/session.tsx';
import { withFreshSignIn } from '#shared/fresh-sign-in/with-fresh-sign-in.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { TextField } from '#ui/Field.tsx';
import { toast } from '#ui/Toast.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { AccountSheet } from './AccountSheet.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { UnconfirmedEmail } from './UnconfirmedEmail.tsx';
import { UnreachableEmail } from './UnreachableEmail.tsx';
import { useAccountForm } from './use-account-form.ts';
import { useFreshUser } from './use-fresh-user.ts';
import { useSignOut } from './use-sign-out.ts';
import { useUpdateUser } from './use-update-user.ts';

interface ChangedUser {
  message: string;
  data: User;
}

/** The card with the person's name and e-mail address, and the button that signs out. */
export function NameAndEmail() {
  const { user } = useAccount();
  const signOut = useSignOut();
  const unreachable = user.unreachable_email ?? null;
  const sheet = useSheetParam('change');
  return (
    <Card title="Account">
      <p className="font-semibold break-words">{user.name}</p>
      <p className="break-words text-muted">{user.email}</p>
      {user.email_verified === false && <UnconfirmedEmail address={unreachable === user.email ? unreachable : null} />}
      {user.pending_email && (
        <PendingEmail address={user.pending_email} isUnreachable={unreachable === user.pending_email} />
      )}
      <OnlineOnly doing="Changing your name or e-mail">
        <div className="mt-3 flex flex-wrap gap-2">
          <Button look="line" icon={Pencil} onClick={() => sheet.open('name')}>
            Change name
          </Button>
          <Button look="line" icon={AtSign} onClick={() => sheet.open('email')}>
            Change e-mail
          </Button>
        </div>
      </OnlineOnly>
      <Button look="line" icon={LogOut} className="mt-3" onClick={() => void signOut()}>
        Sign Out
      </Button>
      {sheet.value === 'name' && <NameSheet onClose={sheet.close} />}
      {sheet.value === 'email' && <EmailSheet onClose={sheet.close} />}
    </Card>
  );
}

/** Says that a new address is still to be confirmed, and notices when it is. */
function PendingEmail({ address, isUnreachable }: { address: string; isUnreachable: boolean }) {
  useFreshUser();
  if (isUnreachable) return <UnreachableEmail address={address} />;
  return (
    <p className="mt-1 text-sm font-medium break-words text-phone">
      {address} replaces it as soon as you open the link that we sent there.
    </p>
  );
}

function NameSheet({ onClose }: { onClose: () => void }) {
  const { user } = useAccount();
  const updateUser = useUpdateUser();
  const form = useAccountForm({
    initial: { name: user.name },
    check: (values) => changeNameBody.safeParse(values),
    send: async (value) => {
      const answer = await call<ChangedUser>(ACCOUNT_CALLS.changeName, { body: value });
      if (!answer.ok) return answer;
      await updateUser(answer.data.data);
      onClose();
      toast({ text: answer.data.message });
      return { ok: true };
    },
    doing: 'Changing your name',
  });
  return (
    <AccountSheet
      title="Change name"
      label="Save"
      busyLabel="Saving…"
      form={form}
      keepText="Your name stays as it is."
      onClose={onClose}
    >
      <TextField
        label="Your name"
        autoComplete="name"
        hint="Shown in messages and connections. The stage name on your profile is separate."
        {...form.field('name')}
      />
    </AccountSheet>
  );
}

function EmailSheet({ onClose }: { onClose: () => void }) {
  const { user } = useAccount();
  const updateUser = useUpdateUser();
  const form = useAccountForm({
    initial: { email: user.pending_email ?? '' },
    check: (values) => changeEmailBody.safeParse(values),
    send: async (value) => {
      const answer = await withFreshSignIn((key) => call<ChangedUser>(ACCOUNT_CALLS.changeEmail, { body: value, key }));
      // The person closed the question who they are, so what they typed stays.
      if (answer === null) return { ok: true };
      if (!answer.ok) return answer;
      await updateUser(answer.data.data);
      onClose();
      toast({ text: answer.data.message });
      return { ok: true };
    },
    doing: 'Changing your e-mail',
  });
  return (
    <AccountSheet
      title="Change e-mail"
      label="Send the link"
      busyLabel="Sending…"
      form={form}
      keepText="Your e-mail stays as it is."
      onClose={onClose}
    >
      <p className="text-muted">
        We send a link to the new address. Until you open it, you sign in with{' '}
        <b className="font-semibold break-words text-base-content">{user.email}</b>.
        {user.pending_email && ' To keep that one after all, enter it here.'}
      </p>
      <TextField label="New e-mail" kind="email" autoComplete="email" {...form.field('email')} />
    </AccountSheet>
  );
}
