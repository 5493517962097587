import * as z from 'zod/mini';
import { insights, type Insights } from '#contract/records/insights.ts';

// The figures are the same for everybody, visitors too, so they are in nobody's store and stay after sign-out.
const CACHE = 'insights';
/** No address of the app: nothing but this file asks for it. */
const KEY = '/kept/insights';

/** Figures as the server gave them last, with their tag. */
interface CachedInsights {
  figures: Insights;
  etag: string | null;
}

/** The figures in an answer; null where it holds something else, as another server's may. */
export function parseInsights(answer: unknown): Insights | null {
  const read = z.safeParse(insights, answer);
  return read.success ? read.data : null;
}

/** What this device was given last; null where it never was, or an older version of the app kept what this one cannot read. */
export async function readCachedInsights(): Promise<CachedInsights | null> {
  if (typeof caches === 'undefined') return null;
  const answer = await (await caches.open(CACHE)).match(KEY);
  if (answer === undefined) return null;
  const figures = parseInsights(await answer.json());
  return figures && { figures, etag: answer.headers.get('etag') };
}

export async function cacheInsights({ figures, etag: tag }: CachedInsights): Promise<void> {
  if (typeof caches === 'undefined') return;
  const headers = { 'content-type': 'application/json', ...(tag !== null && { etag: tag }) };
  await (await caches.open(CACHE)).put(KEY, new Response(JSON.stringify(figures), { headers }));
}

export async function clearCachedInsights(): Promise<void> {
  if (typeof caches !== 'undefined') await caches.delete(CACHE);
}
