export type DeviceWord = 'phone' | 'tablet' | 'computer';

/** What a person calls the thing in their hand. Touch decides phone or tablet, the shorter side which of the two. */
export function deviceWordFor(hasCoarsePointer: boolean, shorterSidePx: number): DeviceWord {
  if (!hasCoarsePointer) return 'computer';
  return shorterSidePx < 600 ? 'phone' : 'tablet';
}
