import { useId, useState, type KeyboardEvent } from 'react';
import { suggest } from '#lib/suggest.ts';
import { Field, type FieldProps } from './Field.tsx';

interface SuggestFieldProps extends FieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** Possible suggestions, best first. Any other text is valid too. */
  known: readonly string[];
  placeholder?: string;
  autoComplete?: string;
}

/**
 * A text field with suggestions while typing. Arrow keys move, Enter accepts, Esc closes only the list. A tap on the
 * empty field shows the first suggestions.
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
    // During composition, Enter and arrow keys belong to the input method.
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
      // Keeps the surrounding sheet open.
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
                // Keeps the focus in the field, so that a phone's keyboard stays open.
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
