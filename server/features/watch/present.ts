import { eq } from 'drizzle-orm';
import type { WatchedLink } from '#contract/records/links.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { users } from '#server/platform/db/schema.ts';
import { getPart } from '../casting/rows.ts';
import { getLinkExpiry, signQuery } from '../media/link.ts';
import type { Watching } from './session.ts';
import { listSharedTapes } from './shared-tapes.ts';

/** The video of a take, its small picture, or some of its frames in one picture. */
export const FILE_PARTS = ['video', 'poster', 'strip'] as const;
export type FilePart = (typeof FILE_PARTS)[number];

/** What an address of a take is signed for: one part of one take, for one opening. */
export const toSignedText = (openingId: number, takeId: string, part: FilePart): string =>
  `watch ${openingId} ${takeId} ${part}`;

const toSeconds = (time: Date) => Math.floor(time.getTime() / 1000);

/** Presents what a link shows, with addresses that work for an hour at most and end with the opening and the link. */
export async function presentWatched(db: Db, { link, opening }: Watching, now: Date): Promise<WatchedLink> {
  const { role, project } = await getPart(db, link.roleId);
  const [owner] = await db.select({ name: users.name }).from(users).where(eq(users.id, link.userId));
  const expires = Math.min(getLinkExpiry(now), toSeconds(opening.expiresAt), toSeconds(link.expiresAt));
  const sign = async (takeId: string, part: FilePart) => {
    const query = await signQuery(db, toSignedText(opening.id, takeId, part), expires);
    return `/watch/${link.clientId}/takes/${takeId}?opening=${opening.id}&part=${part}&${query}`;
  };
  const shared = await listSharedTapes(db, link);
  const tapes = shared.map(async ({ tape, name }) => ({
    name,
    takes: await Promise.all(
      tape.takes.map(async ({ id, label, duration, width, height, poster_key, strip_key }) => ({
        id,
        label,
        duration,
        width,
        height,
        url: await sign(id, 'video'),
        poster_url: poster_key ? await sign(id, 'poster') : null,
        strip_url: strip_key ? await sign(id, 'strip') : null,
      })),
    ),
  }));
  return {
    project: String(project.body.title),
    role: String(role.body.name),
    shared_by: owner?.name ?? '',
    watermark: link.watermark,
    expires_at: link.expiresAt.toISOString(),
    tapes: await Promise.all(tapes),
    urls_expire_at: new Date(expires * 1000).toISOString(),
  };
}
