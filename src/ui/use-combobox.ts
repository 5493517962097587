import { useId, useState, type KeyboardEvent, type SyntheticEvent } from 'react';

interface ComboboxOptions<T> {
  /** The offered entries, best first. */
  options: readonly T[];
  /** Whether the user wants the list. It is shown if it has entries. */
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onPick: (option: T) => void;
}

/** Keeps the focus in the field, so that a phone's keyboard and the list stay open until the tap is complete. */
const keepFocus = (event: SyntheticEvent) => event.preventDefault();

/**
 * A text field with a list of suggestions (the ARIA pattern 'combobox with list autocomplete'). The arrow keys move
 * through the list and back to the typed text, Enter picks, and Escape closes only the list. Picking closes it, too.
 */
export function useCombobox<T>({ options, isOpen, onOpenChange, onPick }: ComboboxOptions<T>) {
  const id = useId();
  const [selected, setSelected] = useState(-1);
  const isShown = isOpen && options.length > 0;
  const active = isShown ? Math.min(selected, options.length - 1) : -1;
  const getOptionId = (index: number) => `${id}-${index}`;

  /** Opens or closes the list without a selection. */
  const setOpen = (next: boolean) => {
    onOpenChange(next);
    setSelected(-1);
  };
  const pick = (option: T) => {
    setOpen(false);
    onPick(option);
  };
  const handleKey = (event: KeyboardEvent) => {
    // During composition, these keys belong to the input method.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (!isShown) return onOpenChange(true);
      const places = options.length + 1;
      setSelected(((active + 1 + step + places) % places) - 1);
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      pick(options[active]!);
    } else if (event.key === 'Escape' && isShown) {
      // Keeps the surrounding sheet open.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  return {
    isShown,
    setOpen,
    handleKey,
    fieldProps: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': isShown,
      'aria-controls': id,
      'aria-activedescendant': active >= 0 ? getOptionId(active) : undefined,
      autoComplete: 'off',
      onKeyDown: handleKey,
    } as const,
    listProps: { id, role: 'listbox' } as const,
    getOptionProps: (index: number) =>
      ({
        id: getOptionId(index),
        role: 'option',
        'aria-selected': index === active,
        onPointerDown: keepFocus,
        onMouseDown: keepFocus,
        onClick: () => pick(options[index]!),
      }) as const,
  };
}
