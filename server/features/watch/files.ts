import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { WATCH_CALLS } from '#contract/watch-calls.ts';
import { storedFiles, type StoredTake } from '#server/platform/db/schema.ts';
import { parseId } from '#server/platform/http/ids.ts';
import { publicAccess, readRoute } from '#server/platform/http/route.ts';
import { isVouchedFor, linkQuery } from '../media/link.ts';
import { sendFile } from '../media/send-file.ts';
import { FILE_PARTS, toSignedText, type FilePart } from './present.ts';
import { LINK_HEADERS, noSuchLink } from './refusal.ts';
import { findWatchingOf } from './session.ts';
import { listSharedTapes } from './shared-tapes.ts';

/** How long bytes may flow after the link has ended. */
const CHECK_MS = 1000;

/** Passes bytes on as long as they may be watched, and breaks off within a second after that. */
export function passWhile(isAllowed: () => Promise<boolean>, bytes: Readable): Readable {
  async function* pass() {
    let checkedAt = performance.now();
    for await (const chunk of bytes) {
      if (performance.now() - checkedAt > CHECK_MS) {
        if (!(await isAllowed())) throw new Error('The link ended while its bytes were sent');
        checkedAt = performance.now();
      }
      yield chunk;
    }
  }
  const passed = Readable.from(pass(), { objectMode: false });
  // A viewer who leaves before the first byte is asked for would leave them open.
  passed.once('close', () => bytes.destroy());
  return passed;
}

const query = z.object({
  ...linkQuery.shape,
  opening: z.string(),
  part: z.literal(FILE_PARTS, { error: 'Use video, poster or strip' }),
});

const getKey = ({ file_key, poster_key, strip_key }: StoredTake, part: FilePart) =>
  ({ video: file_key, poster: poster_key, strip: strip_key })[part];

/** GET /watch/{linkId}/takes/{takeId}: the bytes of a take, to the page that has opened the link. */
export function watchFileRoute(app: FastifyInstance): void {
  const { storage, clock, db: database } = app.deps;
  readRoute(app, {
    endpoint: WATCH_CALLS.take,
    summary: 'The video or a picture of a take, by an address that the link gave and that works for an hour',
    access: publicAccess(),
    params: z.object({ linkId: z.string(), takeId: z.string() }),
    query,
    responses: { 200: null, 206: null, 304: null, 416: null },
    handler: async ({ request, params: { linkId, takeId }, query: asked, db, now }) => {
      const openingId = parseId(asked.opening);
      const { part } = asked;
      if (openingId === null || !(await isVouchedFor(db, toSignedText(openingId, takeId, part), asked, now))) {
        throw noSuchLink();
      }
      const findFile = async (on = db, at = now) => {
        const watching = await findWatchingOf(on, linkId, openingId, at);
        const [shared] = watching === null ? [] : await listSharedTapes(on, watching.link, takeId);
        const take = shared?.tape.takes.find(({ id }) => id === takeId);
        return (take && getKey(take, part)) ?? null;
      };
      const key = await findFile();
      const [file] = key === null ? [] : await db.select().from(storedFiles).where(eq(storedFiles.key, key));
      if (file === undefined) throw noSuchLink();
      const isAllowed = async () => (await findFile(database, clock.now())) === file.key;
      return sendFile(
        request,
        storage,
        file,
        // The name of the file in the store is nobody's business.
        { ...LINK_HEADERS, 'content-disposition': 'inline', etag: `"${takeId}"` },
        (bytes) => passWhile(isAllowed, bytes),
      );
    },
  });
}
