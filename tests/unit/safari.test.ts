import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasOwnStorage, toUnsentWarning } from '#features/install/select-guide.ts';
import { hasNoPicture } from '#shared/offline-media/playback-error.ts';
import { evictsAfterSevenDays } from '#lib/seven-day-eviction.ts';
import { fitToText } from '#ui/grow-field.ts';

const AGENTS = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  chromeOnIphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  chromeOnMac:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  android:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};
const clears = (userAgent: string, over: { maxTouchPoints?: number; isInstalled?: boolean } = {}) =>
  evictsAfterSevenDays({ userAgent, maxTouchPoints: 0, isInstalled: false, ...over });

describe('the warning that websites are cleared after 7 days', () => {
  it('is shown in Safari and in every browser on an iPhone or iPad', () => {
    expect([AGENTS.iphone, AGENTS.chromeOnIphone, AGENTS.mac].map((agent) => clears(agent))).toEqual([
      true,
      true,
      true,
    ]);
    // An iPad identifies itself as a Mac.
    expect(clears(AGENTS.chromeOnMac, { maxTouchPoints: 5 })).toBe(true);
  });

  it('is not shown in other browsers or in the installed app', () => {
    const others = [AGENTS.chromeOnMac, AGENTS.android, AGENTS.firefox];
    expect(others.map((agent) => clears(agent))).toEqual([false, false, false]);
    expect(clears(AGENTS.iphone, { isInstalled: true })).toBe(false);
  });
});

describe('the install guide', () => {
  it('detects whether the installed app has its own storage', () => {
    expect((['ios safari', 'ios other', 'mac safari'] as const).map(hasOwnStorage)).toEqual([true, true, true]);
    expect((['android', 'desktop', 'firefox android'] as const).map(hasOwnStorage)).toEqual([false, false, false]);
  });

  it('warns about unsent changes', () => {
    expect(toUnsentWarning('1 change', true)).toContain(
      '1 change has not been sent yet, and the installed app can’t see it.',
    );
    expect(toUnsentWarning('3 changes', false)).toContain('3 changes have not been sent yet');
  });
});

describe('a video', () => {
  it('counts as unplayable when it loads without a picture', () => {
    expect(hasNoPicture({ videoWidth: 0, videoHeight: 0 })).toBe(true);
    expect(hasNoPicture({ videoWidth: 640, videoHeight: 360 })).toBe(false);
  });
});

describe('a growing text field', () => {
  it('fits its height to text and borders, and shrinks again', () => {
    const heights: string[] = [];
    const field = {
      offsetHeight: 46,
      clientHeight: 44,
      // The scroll height of a field is never less than its height.
      get scrollHeight() {
        return heights.at(-1) === 'auto' ? 88 : 400;
      },
      style: {
        get height() {
          return heights.at(-1) ?? '';
        },
        set height(next: string) {
          heights.push(next);
        },
      },
    };
    fitToText(field);
    expect(field.style.height).toBe('90px');
  });
});

describe('the page', () => {
  it('sets its name and status bar for the iPhone home screen', () => {
    const page = readFileSync('index.html', 'utf8');
    for (const [name, content] of [
      ['mobile-web-app-capable', 'yes'],
      ['apple-mobile-web-app-title', 'Callboard'],
      ['apple-mobile-web-app-status-bar-style', 'default'],
    ]) {
      expect(page).toContain(`<meta name="${name}" content="${content}" />`);
    }
  });
});
