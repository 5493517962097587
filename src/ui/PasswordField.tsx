import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Field, type FieldProps } from './Field.tsx';
import { whenPainted } from './when-painted.ts';

interface PasswordFieldProps extends FieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  autoComplete: 'current-password' | 'new-password';
  /** Name of the button, if the label does not fit after 'Show'. */
  showLabel?: string;
}

/** A password, hidden until the button beside it is pressed, and hidden again when the form is sent. */
export function PasswordField({ name, value, onChange, autoComplete, showLabel, ...field }: PasswordFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isShown, setIsShown] = useState(false);
  /** Where the caret was before the button was pressed. */
  const selection = useRef<[number | null, number | null] | null>(null);
  useEffect(() => {
    const kept = selection.current;
    selection.current = null;
    // Chrome moves the caret when it draws an input whose type has changed. Without the focus there is none, and Safari would move the focus.
    if (kept === null || document.activeElement !== input.current) return;
    return whenPainted(() => input.current?.setSelectionRange(...kept));
  }, [isShown]);
  useEffect(() => {
    const form = input.current?.form;
    const hide = () => setIsShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);
  const toggle = () => {
    if (input.current) selection.current = [input.current.selectionStart, input.current.selectionEnd];
    setIsShown(!isShown);
  };
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field {...field}>
      {(wiring) => (
        <div className={`input pr-0 ${field.error ? 'is-invalid' : ''}`}>
          <input
            {...wiring}
            ref={input}
            className="min-w-0 grow outline-none"
            name={name}
            type={isShown ? 'text' : 'password'}
            value={value}
            autoComplete={autoComplete}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            onChange={(event) => onChange(event.target.value)}
          />
          <button
            type="button"
            className="tap shrink-0 text-muted"
            aria-pressed={isShown}
            aria-controls={wiring.id}
            // The focus stays in the field, and on a phone the keyboard stays open.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={toggle}
          >
            <Icon className="ic" aria-hidden />
            <span className="sr-only">{showLabel ?? `Show ${field.label.toLowerCase()}`}</span>
          </button>
        </div>
      )}
    </Field>
  );
}
