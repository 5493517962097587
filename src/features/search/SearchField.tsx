import { ArrowLeft, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { IconButton } from '#ui/Button.tsx';
import { useGoBack } from '#ui/use-go-back.ts';
import { useDebouncedText } from './use-filters.ts';

interface SearchFieldProps {
  words: string;
  /** While one types, and at once on Enter. */
  onChange: (words: string) => void;
  onEnter: (words: string) => void;
  /** There is a bar of the app to go back from, and this takes its place. */
  isBar: boolean;
}

/** The bar of the page on a phone: back, the words, and what empties them. */
export function SearchField({ words, onChange, onEnter, isBar }: SearchFieldProps) {
  const [opened] = useState(useLocation().key);
  const goBack = useGoBack(opened);
  const field = useRef<HTMLInputElement>(null);
  const typed = useDebouncedText(words, onChange);
  useEffect(() => {
    // Opened to look for somebody: the keyboard may come up. With words in the address the answer is what one wants.
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
          typed.settle();
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
