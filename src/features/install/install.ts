import { useSyncExternalStore } from 'react';
import { isInstalledApp } from '#ui/device.ts';
import { createSlot } from '#ui/slot.ts';

/** Chromium's `beforeinstallprompt` event, which TypeScript's DOM types do not include. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

export type InstallState =
  /** The page runs in the window of the installed app. */
  | 'app'
  /** The page runs in a browser tab, and the app is installed on this device. */
  | 'installed'
  /** The browser can show its own install dialog. */
  | 'native'
  /** The person can install by hand, as the guide shows, or not at all. */
  | 'manual';

let deferredPrompt: InstallPromptEvent | null = null;
const state = createSlot<InstallState>('manual');

async function hasInstalledApp(): Promise<boolean> {
  if (!('getInstalledRelatedApps' in navigator)) return false;
  const getInstalledRelatedApps = navigator.getInstalledRelatedApps as () => Promise<unknown[]>;
  // Rejects in frames and private windows: assume that the app is not installed, so that the button stays.
  return getInstalledRelatedApps.call(navigator).then(
    (apps) => apps.length > 0,
    () => false,
  );
}

/** Listens for the browser's install events. Call once, before the first render. */
export function listenForInstall(): void {
  if (isInstalledApp()) state.set('app');
  addEventListener('beforeinstallprompt', (event) => {
    // The header has an install button; Chromium's own bar would cover the tabs.
    event.preventDefault();
    deferredPrompt = event as InstallPromptEvent;
    state.set('native');
  });
  addEventListener('appinstalled', () => {
    deferredPrompt = null;
    state.set('installed');
  });
  void hasInstalledApp().then((isInstalled) => {
    if (isInstalled && deferredPrompt === null && state.get() === 'manual') state.set('installed');
  });
}

export function useInstallState(): InstallState {
  return useSyncExternalStore(state.subscribe, state.get);
}

/** Opens the browser's install dialog. Returns false if there is none and the guide must be shown instead. */
export async function promptInstall(): Promise<boolean> {
  if (!deferredPrompt) return false;
  const event = deferredPrompt;
  // An event can prompt only once. After a dismissal the browser may send a new event later.
  deferredPrompt = null;
  try {
    const { outcome } = await event.prompt();
    state.set(outcome === 'accepted' ? 'installed' : 'manual');
    return true;
  } catch {
    // The prompt came too long after the tap, or a policy forbids it: fall back to the guide.
    state.set('manual');
    return false;
  }
}
