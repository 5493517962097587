import { useId, useState, type KeyboardEvent } from 'react';
import { suggest } from '#lib/suggest.ts';
import { Field, type FieldProps } from './Field.tsx';

interface SuggestFieldProps extends FieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** What may be offered, best first. Any other text is as good. */
  known: readonly string[];
  placeholder?: string;
  autoComplete?: string;
}

/**
 * A text field that offers what is known as one types. Arrows move, Enter takes, Esc closes the list alone; a tap on the
 * empty field shows the first ones.
 */
export function SuggestField({
  name,
  value,
  onChange,
  known,
  placeholder,
  autoComplete = 'off',
  ...field
}: SuggestFieldProps) {
  const listId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const offered = isOpen ? suggest(known, value) : [];
  const isShown = offered.length > 0;
  const at = Math.min(active, offered.length - 1);

  const close = () => {
    setIsOpen(false);
    setActive(-1);
  };
  const take = (text: string) => {
    onChange(text);
    close();
  };
  const handleKey = (event: KeyboardEvent) => {
    // An input method's own Enter and arrows choose a character.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (!isShown) return setIsOpen(true);
      const places = offered.length + 1;
      setActive(((at + 1 + step + places) % places) - 1);
    } else if (event.key === 'Enter' && isShown && at >= 0) {
      event.preventDefault();
      take(offered[at]!);
    } else if (event.key === 'Escape' && isShown) {
      // The sheet around it stays open.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <Field {...field}>
      {(wiring) => (
        <div className="relative">
          <input
            {...wiring}
            className={`input ${field.error ? 'is-invalid' : ''}`}
            name={name}
            type="text"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={listId}
            aria-activedescendant={isShown && at >= 0 ? `${listId}-${at}` : undefined}
            value={value}
            placeholder={placeholder}
            autoComplete={autoComplete}
            onChange={(event) => {
              onChange(event.target.value);
              setActive(-1);
              setIsOpen(true);
            }}
            onClick={() => value === '' && setIsOpen(true)}
            onBlur={close}
            onKeyDown={handleKey}
          />
          <ul
            id={listId}
            role="listbox"
            aria-label="Suggestions"
            hidden={!isShown}
            className="absolute inset-x-0 top-full z-10 mt-1 max-h-72 overflow-y-auto rounded-2xl border border-base-300 bg-base-100 p-1.5 shadow-lg"
          >
            {offered.map((text, index) => (
              <li
                key={text}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === at}
                className={`menu-row break-words ${index === at ? 'bg-base-200' : ''}`}
                // The field keeps the focus, and a phone its keyboard.
                onPointerDown={(event) => event.preventDefault()}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(text)}
              >
                {text}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Field>
  );
}
