import * as z from 'zod/mini';
import { insights, type Insights } from '#contract/records/insights.ts';

// The figures are the same for members and visitors, so they are outside the accounts' stores and stay after sign-out.
const CACHE = 'insights';
/** A made-up URL that only serves as the cache key. */
const KEY = '/kept/insights';

/** The last figures from the server, with the ETag of the response. */
interface CachedInsights {
  figures: Insights;
  etag: string | null;
}

/** Returns the figures in a response body, or null if the body has another shape. */
export function parseInsights(body: unknown): Insights | null {
  const result = z.safeParse(insights, body);
  return result.success ? result.data : null;
}

/** Returns the cached figures, or null if there are none or an older version of the app stored them in another shape. */
export async function readCachedInsights(): Promise<CachedInsights | null> {
  if (typeof caches === 'undefined') return null;
  const response = await (await caches.open(CACHE)).match(KEY);
  if (response === undefined) return null;
  const figures = parseInsights(await response.json());
  return figures && { figures, etag: response.headers.get('etag') };
}

export async function cacheInsights({ figures, etag }: CachedInsights): Promise<void> {
  if (typeof caches === 'undefined') return;
  const headers = { 'content-type': 'application/json', ...(etag !== null && { etag }) };
  await (await caches.open(CACHE)).put(KEY, new Response(JSON.stringify(figures), { headers }));
}

export async function clearCachedInsights(): Promise<void> {
  if (typeof caches !== 'undefined') await caches.delete(CACHE);
}
