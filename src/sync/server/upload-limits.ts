import { LIMITS } from '#contract/limits.ts';
import type { MediaType } from '#contract/media-types.ts';
import type { ServerConfig } from '#contract/records/sync.ts';
import type { AccountDb } from '#db/database.ts';
import { getKnownApi } from './learn.ts';

/** Maximum bytes of one file, by kind. */
export type UploadLimits = Readonly<Record<MediaType, number>>;

const MB = 1024 * 1024;
/** A server with the basic API reads a file in one request, so no device should hold a larger one for it. */
const BASIC_LIMITS: UploadLimits = { image: 10 * MB, audio: 10 * MB, video: 10 * MB, document: 10 * MB };

/** The limits as the server last reported them; the defaults if it never did. */
export async function loadUploadLimits(db: AccountDb): Promise<UploadLimits> {
  const learnt = await db.meta.get('upload-limits');
  if (learnt?.k === 'upload-limits') return learnt.bytes;
  return (await getKnownApi(db)) === 'basic' ? BASIC_LIMITS : LIMITS.fileBytes;
}

/** Reads the limits of a server. One from before the limits of each kind has one for all of them. */
function readLimits(limits: Partial<ServerConfig['limits']> | undefined): UploadLimits | null {
  const toBytes = (kind: MediaType) => {
    const megabytes = limits?.media?.[kind]?.max_mb ?? limits?.max_upload_mb;
    return typeof megabytes === 'number' && megabytes > 0 ? Math.floor(megabytes * MB) : null;
  };
  const [image, audio, video, document] = [toBytes('image'), toBytes('audio'), toBytes('video'), toBytes('document')];
  return image && audio && video && document ? { image, audio, video, document } : null;
}

/** Stores what a server reports about uploads. Limits that cannot be read change nothing. */
export async function storeUploadLimits(db: AccountDb, { limits, uploads }: Partial<ServerConfig>): Promise<void> {
  const bytes = readLimits(limits);
  const direct = uploads?.direct === true ? { directPartBytes: uploads.part_bytes } : {};
  if (bytes !== null) await db.meta.put({ k: 'upload-limits', bytes, ...direct });
}
