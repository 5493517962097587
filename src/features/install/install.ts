import { useSyncExternalStore } from 'react';
import { isInstalledApp } from '#ui/device.ts';
import { createSlot } from '#ui/slot.ts';

/** Chromium's event; not in the DOM's types because no other engine has it. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

export type InstallState =
  /** This is the installed app's own window. */
  | 'app'
  /** A tab of a browser whose device has the app. */
  | 'installed'
  /** The browser has its own dialog ready. */
  | 'native'
  /** By hand, as the guide shows it, or not at all. */
  | 'by hand';

let deferredPrompt: InstallPromptEvent | null = null;
const state = createSlot<InstallState>('by hand');

async function hasInstalledApp(): Promise<boolean> {
  if (!('getInstalledRelatedApps' in navigator)) return false;
  const ask = navigator.getInstalledRelatedApps as () => Promise<unknown[]>;
  // Refused in frames and private windows: then it is not known, and the button stays.
  return ask.call(navigator).then(
    (apps) => apps.length > 0,
    () => false,
  );
}

/** Call once, before anything is drawn. */
export function listenForInstall(): void {
  if (isInstalledApp()) state.set('app');
  addEventListener('beforeinstallprompt', (event) => {
    // Ours is the button in the header; Chromium's own bar would cover the tabs.
    event.preventDefault();
    deferredPrompt = event as InstallPromptEvent;
    state.set('native');
  });
  addEventListener('appinstalled', () => {
    deferredPrompt = null;
    state.set('installed');
  });
  void hasInstalledApp().then((isIt) => {
    if (isIt && deferredPrompt === null && state.get() === 'by hand') state.set('installed');
  });
}

export function useInstallState(): InstallState {
  return useSyncExternalStore(state.subscribe, state.get);
}

/** Opens the browser's dialog; false where there is none, and the guide is the way. */
export async function promptInstall(): Promise<boolean> {
  if (!deferredPrompt) return false;
  const event = deferredPrompt;
  // An event prompts once; a dismissed one comes back as a new event when the browser thinks fit.
  deferredPrompt = null;
  try {
    const { outcome } = await event.prompt();
    state.set(outcome === 'accepted' ? 'installed' : 'by hand');
    return true;
  } catch {
    // Asked too late after the tap, or by policy not at all: the guide knows another way.
    state.set('by hand');
    return false;
  }
}
