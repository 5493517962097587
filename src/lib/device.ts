export type DeviceWord = 'phone' | 'tablet' | 'computer';

/** The word for this device in texts. A touch device is a phone or a tablet, depending on its shorter side. */
export function deviceWordFor(hasCoarsePointer: boolean, shorterSidePx: number): DeviceWord {
  if (!hasCoarsePointer) return 'computer';
  return shorterSidePx < 600 ? 'phone' : 'tablet';
}
