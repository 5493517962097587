import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import type { Patches } from '#db/patches.ts';
import { getRecordLane, type Operation, UNVERSIONED } from './operation.ts';
import { describeRecord } from './record-words.ts';

/** Brings the bytes of a stored file to the server, in pieces: `uploads.ts` sends them and reads the answers. */
export const uploadFile: Operation<Patches['upload']> = {
  kind: 'upload',
  lane: getRecordLane,
  slot: 'upload',
  makesTarget: true,
  needsProbe: false,
  endpoint: () => ENGINE_CALLS.createUpload,
  // Its bytes travel in pieces, not in one request.
  buildRequest: () => Promise.resolve(null),
  parseAnswer: (body) => body,
  describe: describeRecord,
  icon: 'picture',
  about: 'file',
  refusals: () => ({ conflict: 'merge', missing: 'gone', rateLimit: 'account' }),
  async acknowledge(row, { record }, { db }) {
    const file = await db.media.get(row.target);
    // Where the whole file travels with its record, nothing has been sent yet.
    if (file && record.inline !== true) await db.media.put({ ...file, state: 'sent', offset: file.size });
    return UNVERSIONED;
  },
};
