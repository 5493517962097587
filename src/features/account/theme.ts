import { useSyncExternalStore } from 'react';
import { createSlot } from '#ui/slot.ts';

/** The theme of the app. Light and dark are stored in local storage, where public/theme.js reads them. */
export type Theme = 'system' | 'callboard' | 'blackout';

const KEY = 'theme';
const THEME_COLORS = { callboard: '#f6f4ec', blackout: '#0c1411' } as const;

function readStoredTheme(): Theme {
  const theme = localStorage.getItem(KEY);
  return theme === 'callboard' || theme === 'blackout' ? theme : 'system';
}

const currentTheme = createSlot<Theme>(readStoredTheme());

export function useTheme(): Theme {
  return useSyncExternalStore(currentTheme.subscribe, currentTheme.get);
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
  currentTheme.set(theme);
}
