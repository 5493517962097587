import { SHARED_CACHE } from './stored-media.ts';

/** The path to which the browser posts a share, as in the manifest. */
export const SHARE_PATH = '/share';
/** Query of the page after a share of which not everything could be stored. */
export const SHARE_CUT = '?cut';
const NAME = 'x-name';
const TEXT = 'text';

/** Stores the content of a share, as much of it as there is room for. Called by the worker, online or offline. */
export async function storeShared(form: FormData): Promise<void> {
  const cache = await caches.open(SHARED_CACHE);
  const mark = Date.now();
  const words = ['title', 'text', 'url'].map((name) => form.get(name)).filter((each) => typeof each === 'string');
  if (words.length > 0) await cache.put(`${SHARE_PATH}/${mark}-${TEXT}`, new Response(words.join('\n')));
  for (const [n, file] of form.getAll('files').entries()) {
    if (typeof file === 'string') continue;
    const headers = { [NAME]: encodeURIComponent(file.name), 'Content-Type': file.type };
    await cache.put(`${SHARE_PATH}/${mark}-${n}`, new Response(file, { headers }));
  }
}

export interface Shared {
  files: File[];
  /** Title, text and link, one per line. */
  text: string;
  /** Deletes files, and with `words` also the text: they are stored elsewhere by now, or not wanted. */
  drop: (files: readonly File[], words: boolean) => Promise<void>;
}

/** Returns what was shared and not yet taken; null if there is nothing. */
export async function readShared(): Promise<Shared | null> {
  if (typeof caches === 'undefined') return null;
  const cache = await caches.open(SHARED_CACHE);
  const files = new Map<File, Request>();
  const words = new Map<Request, string>();
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    if (!answer) continue;
    const name = answer.headers.get(NAME);
    const type = answer.headers.get('Content-Type') ?? '';
    if (name === null) words.set(request, await answer.text());
    else files.set(new File([await answer.blob()], decodeURIComponent(name), { type }), request);
  }
  if (files.size + words.size === 0) return null;
  const drop = async (taken: readonly File[], andWords: boolean) => {
    const requests = [...taken.map((file) => files.get(file)), ...(andWords ? words.keys() : [])];
    for (const request of requests) if (request) await cache.delete(request);
  };
  return { files: [...files.keys()], text: [...words.values()].join('\n'), drop };
}
