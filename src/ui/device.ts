import { deviceWordFor, type DeviceWord } from '#lib/device.ts';

/** Whether this is the installed app's own window. */
export const isInstalledApp = () =>
  matchMedia('(display-mode: standalone), (display-mode: minimal-ui), (display-mode: fullscreen)').matches ||
  ('standalone' in navigator && navigator.standalone === true);

/** 'phone', 'tablet' or 'computer', for texts such as 'On this phone'. */
export function deviceWord(): DeviceWord {
  return deviceWordFor(matchMedia('(pointer: coarse)').matches, Math.min(screen.width, screen.height));
}
