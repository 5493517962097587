import { useState } from 'react';
import { suggest } from '#lib/suggest.ts';
import { Field, type FieldProps } from './Field.tsx';
import { useCombobox } from './use-combobox.ts';

interface SuggestFieldProps extends FieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** Possible suggestions, best first. Any other text is valid too. */
  known: readonly string[];
  placeholder?: string;
}

/** A text field with suggestions while typing. A tap on the empty field shows the first ones. */
export function SuggestField({ name, value, onChange, known, placeholder, ...field }: SuggestFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const options = isOpen ? suggest(known, value) : [];
  const { isShown, setOpen, fieldProps, listProps, getOptionProps } = useCombobox({
    options,
    isOpen,
    onOpenChange: setIsOpen,
    onPick: onChange,
  });
  return (
    <Field {...field}>
      {(wiring) => (
        <div className="relative">
          <input
            {...wiring}
            {...fieldProps}
            className={`input ${field.error ? 'is-invalid' : ''}`}
            name={name}
            type="text"
            value={value}
            placeholder={placeholder}
            onChange={(event) => {
              onChange(event.target.value);
              setOpen(true);
            }}
            onClick={() => value === '' && setIsOpen(true)}
            onBlur={() => setOpen(false)}
          />
          <ul
            {...listProps}
            aria-label="Suggestions"
            hidden={!isShown}
            className="absolute inset-x-0 top-full z-10 mt-1 max-h-72 overflow-y-auto rounded-2xl border border-base-300 bg-base-100 p-1.5 shadow-lg"
          >
            {options.map((text, index) => (
              <li key={text} className="menu-row break-words" {...getOptionProps(index)}>
                {text}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Field>
  );
}
