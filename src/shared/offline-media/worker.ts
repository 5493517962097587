/**
 * Whether the service worker controls this page and adds the token to what the page shows of stored files. It does not in the first seconds of a first visit
 * and in some private windows.
 */
export const isControlledByWorker = (): boolean => !!(navigator as Partial<Navigator>).serviceWorker?.controller;
