/** What tells the browsers apart, as far as installing goes. */
export interface BrowserTraits {
  userAgent: string;
  maxTouchPoints: number;
  /** Over https, and with service workers: without them no browser installs a website. */
  canRunWorkers: boolean;
  isInstalled: boolean;
}

export type GuideKind =
  /** On this device already. */
  | 'installed'
  /** iPhone or iPad in Safari. */
  | 'ios safari'
  /** iPhone or iPad in Chrome, Edge or Firefox, which have a Share menu of their own. */
  | 'ios other'
  | 'firefox android'
  /** Chrome, Samsung Internet, Edge and others like them. */
  | 'android'
  | 'mac safari'
  /** Chrome, Edge and others like them. */
  | 'desktop'
  /** Firefox on a computer installs no websites. */
  | 'firefox desktop'
  /** A page opened within another app, as links in messages are. */
  | 'inside an app'
  /** A private window, an old browser, a page without https. */
  | 'never';

const IN_APP_BROWSER = /FBAN|FBAV|Instagram|Line\/|MicroMessenger|Snapchat|TikTok|musical_ly|; wv\)/;

/** How to install with this browser. */
export function selectGuide({ userAgent, maxTouchPoints, canRunWorkers, isInstalled }: BrowserTraits): GuideKind {
  if (isInstalled) return 'installed';
  // An iPad calls itself a Mac; only its fingers tell them apart.
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  const isOtherIosBrowser = /CriOS|FxiOS|EdgiOS|OPiOS|OPT\/|DuckDuckGo|Brave/.test(userAgent);
  // What shows pages within apps on iOS calls itself no browser at all.
  const isBareIosView = isIos && !/Safari\//.test(userAgent) && !isOtherIosBrowser;
  if (IN_APP_BROWSER.test(userAgent) || isBareIosView) return 'inside an app';
  // Safari adds any page to the Home Screen, with or without workers.
  if (isIos) return isOtherIosBrowser ? 'ios other' : 'ios safari';
  if (!canRunWorkers) return 'never';
  const isFirefox = /Firefox\//.test(userAgent);
  if (/Android/.test(userAgent)) return isFirefox ? 'firefox android' : 'android';
  if (isFirefox) return 'firefox desktop';
  if (/Macintosh/.test(userAgent) && /Version\/[\d.]+ Safari\//.test(userAgent)) return 'mac safari';
  return 'desktop';
}

/** Whether the installed app has a store of its own, and sees nothing of what this browser keeps. */
export const hasOwnStorage = (kind: GuideKind): boolean => kind.startsWith('ios') || kind === 'mac safari';

/** @param changes how many wait here: '3 changes' */
export const toUnsentWarning = (changes: string, isOne: boolean): string =>
  `${changes} ${isOne ? 'has' : 'have'} not been sent yet, and the installed app can’t see ${isOne ? 'it' : 'them'}. Go online here first.`;
