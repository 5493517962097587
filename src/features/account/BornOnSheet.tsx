import * as z from 'zod/mini';
import { ADULT_AGE, isYounger, needsAgeCheck } from '#contract/age.ts';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import type { User } from '#contract/records/account.ts';
import { AGE_REASON_MAX, bornOnBody, type Account } from '#contract/records/consent.ts';
import { dayText } from '#lib/dates.ts';
import { call } from '#net/client.ts';
import { withFreshSignIn } from '#shared/fresh-sign-in/with-fresh-sign-in.ts';
import { confirm } from '#ui/confirm.tsx';
import { TextArea, TextField } from '#ui/Field.tsx';
import { toast } from '#ui/Toast.tsx';
import { AccountSheet } from './AccountSheet.tsx';
import { bornOn, isDay } from './born-on.ts';
import { useAccountForm } from './use-account-form.ts';
import { useUpdateUser } from './use-update-user.ts';

/** What follows from a date: the desk checks it, the person becomes a minor, or a minor gets younger. */
type Effect = 'check' | 'minor' | 'younger' | null;

/** By this device's clock. The server decides by its own. */
function getEffect({ born_on: before, is_minor: isMinor }: Account, day: string): Effect {
  if (!isDay(day)) return null;
  const now = new Date();
  if (needsAgeCheck(before, day, now)) return 'check';
  if (!isYounger(day, ADULT_AGE, now)) return null;
  if (!isMinor) return 'minor';
  return before !== null && day > before ? 'younger' : null;
}

const BODY = z.extend(bornOnBody, { born_on: bornOn });

interface BornOnSheetProps {
  account: Account;
  onClose: () => void;
  onDone: () => Promise<void>;
}

/** Corrects the date of birth, and says before what follows. */
export function BornOnSheet({ account, onClose, onDone }: BornOnSheetProps) {
  const updateUser = useUpdateUser();
  const request = account.age_request ?? null;
  const form = useAccountForm({
    initial: { born_on: request?.born_on ?? account.born_on ?? '', reason: request?.reason ?? '' },
    check: (values) => BODY.safeParse(values),
    send: async (body) => {
      if (getEffect(account, body.born_on) === 'minor' && !(await confirmMinor(body.born_on))) return { ok: true };
      const answer = await withFreshSignIn((key) =>
        call<{ message: string; data: User }>(CONSENT_CALLS.setBornOn, { body, key }),
      );
      // The person closed the question who they are, so what they typed stays.
      if (answer === null) return { ok: true };
      if (!answer.ok) return answer;
      await updateUser(answer.data.data);
      onClose();
      toast({ text: answer.data.message });
      await onDone();
      return { ok: true };
    },
    doing: 'Correcting your date of birth',
  });
  const day = form.field('born_on');
  const effect = getEffect(account, day.value);
  return (
    <AccountSheet
      title="Date of birth"
      label={effect === 'check' ? 'Send' : 'Save'}
      busyLabel={effect === 'check' ? 'Sending…' : 'Saving…'}
      form={form}
      keepText="Your date of birth stays as it is."
      onClose={onClose}
    >
      <TextField label="Your date of birth" kind="date" autoComplete="bday" min="1900-01-01" {...day} />
      <div aria-live="polite" className="text-muted">
        {effect === 'check' && (
          <p>
            You are under 18 by the date that you gave, and this one makes you older. So a person at Callboard checks it
            first. Until then, nothing changes.
          </p>
        )}
        {effect === 'minor' && <p>{MINOR_TEXT}</p>}
        {effect === 'younger' && <p>Make sure that it is right: later, we check every date that makes you older.</p>}
      </div>
      {effect === 'check' && (
        <TextArea
          label="What should we know?"
          optional
          rows={3}
          limit={AGE_REASON_MAX}
          hint="How the mistake happened, and where we can see the right date. Only the people who check it read this."
          {...form.field('reason')}
        />
      )}
    </AccountSheet>
  );
}

const MINOR_TEXT =
  'With this date you are under 18. At once, only you see your profile, until a parent or guardian agrees. People you don’t know can’t write to you, and only your connections see your contacts and your day rate. You can’t change it back yourself: we check every date that makes you older.';

const confirmMinor = (day: string): Promise<boolean> =>
  confirm({ title: `Were you born on ${dayText(day)}?`, text: MINOR_TEXT, yes: 'Yes, save it' });
