/** Where the focus goes from a button that disappears when it is pressed, so that nobody loses their place. */

/** For a button that disappears with what is around it. */
export const focusPage = (): void => document.getElementById('main')?.focus({ preventScroll: true });

/** For a button of a row that stays: the link of the row. */
export const focusRow = (button: Element): void =>
  button.closest('li')?.querySelector('a')?.focus({ preventScroll: true });
