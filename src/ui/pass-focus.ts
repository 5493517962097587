/** Where the focus goes from a button that disappears when it is pressed, so that nobody loses their place. */

/** For a button that disappears with what is around it. */
export const focusPage = (): void => document.getElementById('main')?.focus({ preventScroll: true });

/** For a button of a row that stays: the link of the row. */
export const focusRow = (button: Element): void =>
  button.closest('li')?.querySelector('a')?.focus({ preventScroll: true });

/**
 * For a button whose row disappears: finds the next row, or the one before.
 * @param button the one that was pressed: a menu gives the focus back to its own
 * @returns moves the focus to that row, or to the page if there is none, unless it is elsewhere by now
 */
export function findNextRow(button: Element | null = document.activeElement): () => void {
  const row = button?.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  const target = next?.querySelector<HTMLElement>('a, button');
  return () => {
    const { activeElement, body } = document;
    if (activeElement !== button && activeElement !== body) return;
    if (target?.isConnected) target.focus({ preventScroll: true });
    else focusPage();
  };
}
