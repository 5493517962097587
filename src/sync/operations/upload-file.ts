import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import type { Patches } from '#db/patches.ts';
import { getRecordLane, type Operation, UNVERSIONED } from './operation.ts';
import { describeRecord } from './record-words.ts';

/** Uploads the bytes of a stored file in pieces; `files/upload.ts` sends them and handles the responses. */
export const uploadFile: Operation<Patches['upload']> = {
  kind: 'upload',
  lane: getRecordLane,
  slot: 'upload',
  makesTarget: true,
  needsProbe: false,
  endpoint: () => ENGINE_CALLS.createUpload,
  // The bytes are sent in pieces, not in one request.
  buildRequest: () => Promise.resolve(null),
  parseAnswer: (body) => body,
  describe: describeRecord,
  icon: 'picture',
  about: 'file',
  refusals: () => ({ conflict: 'merge', missing: 'gone', rateLimit: 'account' }),
  async acknowledge(row, { record }, { db }) {
    const file = await db.media.get(row.target);
    // If the file is sent in the request of its record, nothing has been sent yet.
    if (file && record.inline !== true) await db.media.put({ ...file, state: 'sent', offset: file.size });
    return UNVERSIONED;
  },
};
