interface Traits {
  userAgent: string;
  maxTouchPoints: number;
  /** In the installed app's own window. */
  isInstalled: boolean;
}

/**
 * Whether the browser clears what a website stored once nobody has opened the site for 7 days: Safari does, and every browser
 * of iPhones and iPads, which is Safari inside. The installed app is spared.
 * Source: https://webkit.org/blog/10218/full-third-party-cookie-blocking-and-more/
 */
export function evictsAfterSevenDays({ userAgent, maxTouchPoints, isInstalled }: Traits): boolean {
  if (isInstalled) return false;
  // An iPad calls itself a Mac; only its fingers tell them apart.
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return true;
  return /Macintosh/.test(userAgent) && /Version\/[\d.]+ Safari\//.test(userAgent);
}
