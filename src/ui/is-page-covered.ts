/**
 * Whether a dialog or a menu lies over the page, and keys are meant for it. A menu that has just opened does not have the focus yet, so
 * the target of a key does not tell.
 */
export const isPageCovered = (): boolean =>
  document.querySelector('dialog:modal, [popover="auto"]:popover-open') !== null;
