/** The traits of a browser that decide how it installs apps. */
export interface BrowserTraits {
  userAgent: string;
  maxTouchPoints: number;
  /** Whether the page is served over HTTPS and the browser has service workers, which installing needs. */
  canRunWorkers: boolean;
  isInstalled: boolean;
}

export type GuideKind =
  /** The app is already on this device. */
  | 'installed'
  /** iPhone or iPad in Safari. */
  | 'ios safari'
  /** iPhone or iPad in Chrome, Edge or Firefox, which have a Share menu of their own. */
  | 'ios other'
  | 'firefox android'
  /** Chrome, Samsung Internet, Edge and other Chromium browsers. */
  | 'android'
  | 'mac safari'
  /** Chrome, Edge and other Chromium browsers. */
  | 'desktop'
  /** Firefox on a computer cannot install websites. */
  | 'firefox desktop'
  /** A page that was opened inside another app, as links in messages are. */
  | 'in-app browser'
  /** A private window, an old browser, or a page without HTTPS. */
  | 'unsupported';

const IN_APP_BROWSER = /FBAN|FBAV|Instagram|Line\/|MicroMessenger|Snapchat|TikTok|musical_ly|; wv\)/;

/** Returns the guide for installing the app with this browser. */
export function selectGuide({ userAgent, maxTouchPoints, canRunWorkers, isInstalled }: BrowserTraits): GuideKind {
  if (isInstalled) return 'installed';
  // An iPad identifies itself as a Mac; only the touch screen tells them apart.
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  const isOtherIosBrowser = /CriOS|FxiOS|EdgiOS|OPiOS|OPT\/|DuckDuckGo|Brave/.test(userAgent);
  // On iOS, an in-app browser does not name any browser in its user agent.
  const isIosWebView = isIos && !/Safari\//.test(userAgent) && !isOtherIosBrowser;
  if (IN_APP_BROWSER.test(userAgent) || isIosWebView) return 'in-app browser';
  // Safari adds any page to the Home Screen, with or without service workers.
  if (isIos) return isOtherIosBrowser ? 'ios other' : 'ios safari';
  if (!canRunWorkers) return 'unsupported';
  const isFirefox = /Firefox\//.test(userAgent);
  if (/Android/.test(userAgent)) return isFirefox ? 'firefox android' : 'android';
  if (isFirefox) return 'firefox desktop';
  if (/Macintosh/.test(userAgent) && /Version\/[\d.]+ Safari\//.test(userAgent)) return 'mac safari';
  return 'desktop';
}

/** Whether the installed app has its own storage and cannot see what this browser has stored. */
export const hasOwnStorage = (kind: GuideKind): boolean => kind.startsWith('ios') || kind === 'mac safari';

/** @param changes the number of unsent changes as text: '3 changes' */
export const toUnsentWarning = (changes: string, isOne: boolean): string =>
  `${changes} ${isOne ? 'has' : 'have'} not been sent yet, and the installed app can’t see ${isOne ? 'it' : 'them'}. Go online here first.`;
