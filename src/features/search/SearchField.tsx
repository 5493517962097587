import { ArrowLeft, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from '#ui/router.tsx';
import { IconButton } from '#ui/Button.tsx';
import { useGoBack } from '#ui/use-go-back.ts';
import { useDebouncedText } from './use-filters.ts';

interface SearchFieldProps {
  words: string;
  /** Called when the typing pauses, and at once on Enter. */
  onChange: (words: string) => void;
  onEnter: (words: string) => void;
  /** Whether the field takes the place of the app bar and has a Back button. */
  isBar: boolean;
}

/** The search field of the page on a phone. */
export function SearchField({ words, onChange, onEnter, isBar }: SearchFieldProps) {
  const [opened] = useState(useLocation().key);
  const goBack = useGoBack(opened);
  const field = useRef<HTMLInputElement>(null);
  const typed = useDebouncedText(words, onChange);
  useEffect(() => {
    // Opened without a query: focus the field, which opens the on-screen keyboard. With a query, the results come first.
    if (field.current?.value === '' && field.current.offsetParent !== null) field.current.focus();
  }, []);
  return (
    <search
      className={`flex h-16 items-center gap-1 bg-base-200/98 md:hidden ${isBar ? 'sticky top-0 z-20 -mx-3 px-1.5' : ''}`}
    >
      {isBar && <IconButton label="Back" icon={ArrowLeft} onClick={goBack} />}
      <form
        className="input mr-1.5 grow"
        onSubmit={(event) => {
          event.preventDefault();
          typed.flush();
          onEnter(typed.value);
          field.current?.blur();
        }}
      >
        <Search className="ic text-muted" aria-hidden />
        <input
          ref={field}
          className="min-w-0 grow outline-none"
          type="text"
          inputMode="search"
          enterKeyHint="search"
          name="q"
          aria-label="Name, skill or project"
          placeholder="Name, skill or project"
          autoComplete="off"
          maxLength={200}
          value={typed.value}
          onChange={({ target }) => typed.onChange(target.value)}
        />
        {typed.value !== '' && (
          <IconButton
            label="Clear"
            icon={X}
            className="-mr-3"
            onClick={() => {
              typed.onChange('');
              field.current?.focus();
            }}
          />
        )}
      </form>
    </search>
  );
}
