import { useSyncExternalStore } from 'react';
import { createSlot } from '#ui/slot.ts';

/** Chromium's event; not in the DOM's types because no other engine has it. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

export type InstallState =
  | 'installed'
  /** The browser has its own dialog ready. */
  | 'native'
  /** iPhone or iPad: only by hand, from the Share menu. */
  | 'apple'
  /** By hand, from the browser's menu. */
  | 'by hand';

const isStandalone = () =>
  matchMedia('(display-mode: standalone), (display-mode: minimal-ui), (display-mode: fullscreen)').matches ||
  ('standalone' in navigator && navigator.standalone === true);

// An iPad calls itself a Mac; only its fingers tell them apart.
const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

let offered: InstallPromptEvent | null = null;
const state = createSlot<InstallState>('by hand');

async function isInstalledBeside(): Promise<boolean> {
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
  state.set(isStandalone() ? 'installed' : isApple() ? 'apple' : 'by hand');
  addEventListener('beforeinstallprompt', (event) => {
    // Ours is the button in the header; Chromium's own bar would cover the tabs.
    event.preventDefault();
    offered = event as InstallPromptEvent;
    state.set('native');
  });
  addEventListener('appinstalled', () => {
    offered = null;
    state.set('installed');
  });
  void isInstalledBeside().then((isIt) => {
    if (isIt && offered === null) state.set('installed');
  });
}

export function useInstallState(): InstallState {
  return useSyncExternalStore(state.subscribe, state.get);
}

/** Opens the browser's dialog; false where there is none, and the guide is the way. */
export async function installNatively(): Promise<boolean> {
  if (!offered) return false;
  const event = offered;
  // An event prompts once; a dismissed one comes back as a new event when the browser thinks fit.
  offered = null;
  const { outcome } = await event.prompt();
  state.set(outcome === 'accepted' ? 'installed' : isApple() ? 'apple' : 'by hand');
  return true;
}
