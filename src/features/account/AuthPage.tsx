import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { focusFirstInvalid, FormSummary } from '#ui/Field.tsx';
import type { AccountForm } from './use-account-form.ts';

interface AuthPageProps<K extends string> {
  title: string;
  form: AccountForm<K>;
  submitLabel: string;
  /** Label of the button while the request is running. */
  busyLabel: string;
  /** Says what happens after signing in if the visitor asked for something. */
  lead?: ReactNode;
  /** Rendered below the button. */
  footnote?: ReactNode;
  /** Link to the other form. */
  otherForm: ReactNode | null;
  children: ReactNode;
}

/** The frame of the sign-in and sign-up pages: a title, the form, and a link to the other form. */
export function AuthPage<K extends string>(props: AuthPageProps<K>) {
  const { form } = props;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.attempts > 0) focusFirstInvalid(element.current);
  }, [form.attempts]);
  return (
    <div className="mx-auto max-w-md px-3 pt-2 md:pt-8">
      <div className="notice p-5 md:p-6">
        <h1 className="pb-4 text-[1.75rem] font-bold">{props.title}</h1>
        {props.lead && <p className="-mt-2 pb-4 text-muted">{props.lead}</p>}
        <form
          ref={element}
          className="space-y-4"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            form.submit();
          }}
        >
          <FormSummary text={form.summary} />
          {props.children}
          <Button type="submit" size="large" className="btn-block" aria-disabled={form.isBusy}>
            {form.isBusy ? props.busyLabel : props.submitLabel}
          </Button>
          {props.footnote}
        </form>
      </div>
      {props.otherForm !== null && <p className="pt-2 text-center text-muted">{props.otherForm}</p>}
    </div>
  );
}
