import { deviceWordFor, type DeviceWord } from '#lib/device.ts';

/** 'phone', 'tablet' or 'computer': for 'On this phone'. */
export function deviceWord(): DeviceWord {
  return deviceWordFor(matchMedia('(pointer: coarse)').matches, Math.min(screen.width, screen.height));
}
