import { useEffect, useRef, type ReactNode } from 'react';
import { useAccount } from '#session/session.tsx';
import { focusFirstInvalid, FormSummary } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import type { AccountForm } from './use-account-form.ts';

interface AccountSheetProps {
  title: string;
  /** Label of the button, and while the server is asked. */
  label: string;
  busyLabel: string;
  form: Pick<AccountForm<string>, 'summary' | 'attempts' | 'isBusy' | 'isTouched' | 'submit'>;
  /** Says what stays as it is if the sheet is left. */
  keepText: string;
  onClose: () => void;
  children: ReactNode;
}

/** A form in Settings that changes the account. It only works online, and shows the server's errors at their fields. */
export function AccountSheet({ title, label, busyLabel, form, keepText, onClose, children }: AccountSheetProps) {
  const { user } = useAccount();
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (form.attempts > 0) focusFirstInvalid(body.current);
  }, [form.attempts]);
  return (
    <Sheet
      title={title}
      dirty={form.isTouched}
      keepText={keepText}
      onClose={onClose}
      onSubmit={form.submit}
      foot={
        <FormFoot onDiscard={onClose} aria-disabled={form.isBusy}>
          {form.isBusy ? busyLabel : label}
        </FormFoot>
      }
    >
      <div ref={body} className="space-y-4">
        <FormSummary text={form.summary} />
        {/* Tells password managers which account a password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        {children}
      </div>
    </Sheet>
  );
}
