import { EllipsisVertical, KeyRound, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ChallengeRecord, PasskeyRecord, RemainingPasskeys } from '#contract/records/sign-in.ts';
import { renamePasskeyBody } from '#contract/records/sign-in.ts';
import { SIGN_IN_CALLS } from '#contract/sign-in-calls.ts';
import { agoText, dayText } from '#lib/dates.ts';
import { call } from '#net/client.ts';
import { createPasskey, getPasskeyErrorText, getUnsupportedText } from '#shared/fresh-sign-in/passkeys.ts';
import { withFreshSignIn } from '#shared/fresh-sign-in/with-fresh-sign-in.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { ask } from '#ui/confirm.tsx';
import { FormSummary, TextField } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Menu } from '#ui/Menu.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { signalRemaining, signalUnknown } from './signal-passkeys.ts';
import { useAccountForm } from './use-account-form.ts';
import { ResourceState } from './ResourceState.tsx';
import { useServerResource } from './use-server-resource.ts';

interface PasskeysCardProps {
  /** Called when the person's other devices may have been signed out. */
  onChanged: () => void;
}

/** The card of the person's passkeys: list, add, rename and remove. */
export function PasskeysCard({ onChanged }: PasskeysCardProps) {
  const isOnline = useOnline();
  const { resource, refetch } = useServerResource<PasskeyRecord[]>(SIGN_IN_CALLS.passkeys, {
    missingMessage: 'Passkeys are not available here.',
  });
  const unsupportedText = getUnsupportedText();
  const [isAdding, setIsAdding] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<PasskeyRecord | null>(null);

  const add = async () => {
    if (isAdding) return;
    setIsAdding(true);
    setProblem(null);
    try {
      const asked = await withFreshSignIn(() => call<ChallengeRecord>(SIGN_IN_CALLS.passkeyOptions));
      if (asked === null) return;
      if (!asked.ok) return setProblem(asked.error.message);
      const body = await createPasskey(asked.data);
      const added = await withFreshSignIn(() => call<{ data: PasskeyRecord }>(SIGN_IN_CALLS.addPasskey, { body }));
      if (added === null) return;
      await refetch();
      if (!added.ok) {
        // The device has a passkey that the server refused. After a lost answer it may have accepted it: then the list shows it.
        if (added.error.reason === 'invalid') await signalUnknown(body.response.id);
        return setProblem(added.error.message);
      }
      toast({ text: `Passkey added: ${added.data.data.name}` });
    } catch (error) {
      setProblem(getPasskeyErrorText(error));
    } finally {
      setIsAdding(false);
    }
  };

  const remove = async ({ id, name }: PasskeyRecord) => {
    const choice = await ask({
      title: `Remove ${name}?`,
      text: 'It will no longer sign you in. If you lost the device it is on, sign out your other devices too.',
      choices: [
        { value: 'remove', label: 'Remove', look: 'danger' },
        { value: 'sign out', label: 'Remove and sign out other devices', look: 'danger' },
        { value: 'keep', label: 'Cancel', look: 'line' },
      ],
    });
    if (choice === null || choice === 'keep') return;
    const body = { sign_out_others: choice === 'sign out' };
    const answer = await withFreshSignIn((key) =>
      call<{ data: RemainingPasskeys | null }>(SIGN_IN_CALLS.removePasskey, { params: { id }, body, key }),
    );
    if (answer === null) return;
    // Already removed on another device: the result is the same.
    if (!answer.ok && answer.error.reason !== 'missing') return toast({ text: answer.error.message });
    if (answer.ok && answer.data.data) await signalRemaining(answer.data.data);
    await refetch();
    onChanged();
    toast({ text: `${name} has been removed` });
  };

  return (
    <Card
      title="Passkeys"
      {...(resource.status === 'loaded' && resource.data.length > 0 && { count: resource.data.length })}
    >
      <p className="text-muted">
        Sign in with your face, finger or screen lock. There is nothing to type and nothing to steal.
      </p>
      <ResourceState resource={resource} loadingLabel="Loading your passkeys" height="h-12" className="mt-3" />
      {resource.status === 'loaded' && (
        <>
          {resource.data.length > 0 && (
            <ul className="mt-1">
              {resource.data.map((row) => (
                <Line
                  key={row.id}
                  row={row}
                  fetchedAt={resource.fetchedAt}
                  isOnline={isOnline}
                  onRename={() => setRenamed(row)}
                  onRemove={() => void remove(row)}
                />
              ))}
            </ul>
          )}
          <div role="alert" className="mt-2 empty:hidden">
            {problem !== null && <FormSummary text={problem} />}
          </div>
          {unsupportedText === null ? (
            <OnlineOnly doing="Changing them">
              <div className="mt-3 flex">
                <Button icon={KeyRound} className="grow md:grow-0" aria-disabled={isAdding} onClick={() => void add()}>
                  {isAdding ? 'Adding…' : 'Add a passkey'}
                </Button>
              </div>
            </OnlineOnly>
          ) : (
            <p className="mt-2 font-medium">{unsupportedText}</p>
          )}
        </>
      )}
      {renamed && (
        <RenameSheet
          passkey={renamed}
          onClose={() => setRenamed(null)}
          onRenamed={async () => {
            setRenamed(null);
            await refetch();
          }}
        />
      )}
    </Card>
  );
}

interface LineProps {
  row: PasskeyRecord;
  fetchedAt: number;
  isOnline: boolean;
  onRename: () => void;
  onRemove: () => void;
}

function Line({ row: { name, created_at, last_used_at, synced }, fetchedAt, isOnline, onRename, onRemove }: LineProps) {
  const used =
    last_used_at === null ? 'not used yet' : `used ${agoText(Date.parse(last_used_at), fetchedAt).toLowerCase()}`;
  return (
    <li className="flex items-center gap-3 border-t border-base-300 py-2.5 first:border-t-0">
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-base-200">
        <KeyRound className="ic" aria-hidden />
      </span>
      <div className="min-w-0 grow leading-snug">
        <div className="font-semibold break-words">{name}</div>
        <div className="text-sm text-muted">
          Added {dayText(created_at)}, {used}
          {!synced && '. Only on the device it was made on'}
        </div>
      </div>
      {isOnline && (
        <Menu
          label={`Rename or remove ${name}`}
          trigger={<EllipsisVertical className="ic" aria-hidden />}
          triggerClass="tap -mr-2"
          items={[
            { label: 'Rename', icon: Pencil, onSelect: onRename },
            { label: 'Remove', icon: Trash2, danger: true, onSelect: onRemove },
          ]}
        />
      )}
    </li>
  );
}

interface RenameSheetProps {
  passkey: PasskeyRecord;
  onClose: () => void;
  onRenamed: () => Promise<void>;
}

function RenameSheet({ passkey: { id, name }, onClose, onRenamed }: RenameSheetProps) {
  const form = useAccountForm({
    initial: { name },
    check: (values) => renamePasskeyBody.safeParse(values),
    send: async (body) => {
      const answer = await call(SIGN_IN_CALLS.renamePasskey, { params: { id }, body });
      if (!answer.ok) return answer;
      await onRenamed();
      return { ok: true };
    },
    doing: 'Renaming it',
  });
  return (
    <Sheet
      title="Rename passkey"
      dirty={form.isTouched}
      onClose={onClose}
      onSubmit={form.submit}
      foot={
        <FormFoot onDiscard={onClose} aria-disabled={form.isBusy}>
          {form.isBusy ? 'Saving…' : 'Save'}
        </FormFoot>
      }
    >
      <FormSummary text={form.summary} />
      <TextField label="Name" hint="For example the device it is on" {...form.field('name')} />
    </Sheet>
  );
}
