import { useSyncExternalStore } from 'react';
import { createSlot } from '#ui/slot.ts';

/** The look of the app: the system's choice, or one of ours kept in local storage, where public/theme.js reads it. */
export type Theme = 'system' | 'callboard' | 'blackout';

const KEY = 'theme';
const THEME_COLORS = { callboard: '#f6f4ec', blackout: '#0c1411' } as const;

function readStoredTheme(): Theme {
  const theme = localStorage.getItem(KEY);
  return theme === 'callboard' || theme === 'blackout' ? theme : 'system';
}

const chosen = createSlot<Theme>(readStoredTheme());

export function useTheme(): Theme {
  return useSyncExternalStore(chosen.subscribe, chosen.get);
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(KEY);
    delete document.documentElement.dataset['theme'];
  } else {
    localStorage.setItem(KEY, theme);
    document.documentElement.dataset['theme'] = theme;
  }
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes('dark') ? THEME_COLORS.blackout : THEME_COLORS.callboard;
    meta.content = theme === 'system' ? own : THEME_COLORS[theme];
  }
  chosen.set(theme);
}
