import { describe, expect, it } from 'vitest';
import { selectGuide, type BrowserTraits } from '#features/install/select-guide.ts';

const traits = (userAgent: string, more: Partial<BrowserTraits> = {}): BrowserTraits => ({
  userAgent,
  maxTouchPoints: 0,
  canRunWorkers: true,
  isInstalled: false,
  ...more,
});

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko)';

describe('selectGuide', () => {
  it.each([
    ['ios safari', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
    ['ios other', `${IPHONE} CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1`],
    ['ios other', `${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
    ['in-app browser', `${IPHONE} Mobile/15E148 Instagram 390.0.0.28.85`],
    ['in-app browser', `${IPHONE} Mobile/15E148`],
    ['firefox android', 'Mozilla/5.0 (Android 15; Mobile; rv:141.0) Gecko/141.0 Firefox/141.0'],
    ['android', `${ANDROID} Chrome/138.0.0.0 Mobile Safari/537.36`],
    ['android', `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
    [
      'in-app browser',
      `${ANDROID.replace('Pixel 7', 'Pixel 7; wv')} Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36`,
    ],
    ['mac safari', `${MAC}/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`],
    ['desktop', `${MAC}/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36`],
    [
      'desktop',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/138.0.0.0 Safari/537.36 Edg/138.0',
    ],
    ['firefox desktop', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ])('selects %s for %s', (kind, userAgent) => {
    expect(selectGuide(traits(userAgent))).toBe(kind);
  });

  it('treats a Mac with a touch screen as an iPad', () => {
    const iPad = traits(`${MAC}/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15`, { maxTouchPoints: 5 });
    expect(selectGuide(iPad)).toBe('ios safari');
  });

  it('explains when the app cannot be installed or is installed already', () => {
    const chrome = traits(`${ANDROID} Chrome/138.0.0.0 Mobile Safari/537.36`);
    expect(selectGuide({ ...chrome, canRunWorkers: false })).toBe('unsupported');
    expect(selectGuide({ ...chrome, isInstalled: true })).toBe('installed');
  });
});
