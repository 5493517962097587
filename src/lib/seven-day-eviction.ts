interface Traits {
  userAgent: string;
  maxTouchPoints: number;
  /** True in the window of the installed app. */
  isInstalled: boolean;
}

/**
 * Whether the browser deletes a website's data after 7 days without a visit. Safari does, and so does every browser on
 * iPhones and iPads, since all of them use Safari's engine. The installed app is exempt.
 * Source: https://webkit.org/blog/10218/full-third-party-cookie-blocking-and-more/
 */
export function evictsAfterSevenDays({ userAgent, maxTouchPoints, isInstalled }: Traits): boolean {
  if (isInstalled) return false;
  // An iPad identifies itself as a Mac; only its touch points tell them apart.
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return true;
  return /Macintosh/.test(userAgent) && /Version\/[\d.]+ Safari\//.test(userAgent);
}
