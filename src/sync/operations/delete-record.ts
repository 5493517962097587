import { pathOf } from '#contract/path.ts';
import { serverId } from '#db/canonical.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import type { OutboxRow } from '#db/rows.ts';
import { jsonRequest } from './build-request.ts';
import {
  type AckContext,
  type Acknowledged,
  getRecordLane,
  type Operation,
  type Success,
  UNVERSIONED,
} from './operation.ts';
import { parseConfirmation } from './parse-answer.ts';
import { getRecordCalls, getRequiredVersion } from './record-calls.ts';
import { describeRecord } from './record-words.ts';

/** Deletes a media item or a row of a section. */
export const deleteRecord: Operation = {
  kind: 'delete',
  isFor: (type) => type !== CONNECTION,
  lane: getRecordLane,
  slot: 'json',
  makesTarget: false,
  needsProbe: false,
  endpoint: ({ type }) => getRecordCalls(type)?.remove ?? null,
  buildRequest(row, { endpoint, server, resolve }) {
    const request = jsonRequest(endpoint.method, pathOf(endpoint, { id: resolve(row.target) }));
    return Promise.resolve(server.addPrecondition(request, getRequiredVersion(row)));
  },
  parseAnswer: parseConfirmation,
  describe: describeRecord,
  summarize: () => 'To be deleted',
  about: 'removal',
  refusals: () => ({ conflict: 'merge', missing: 'done', rateLimit: 'account' }),
  unversionedRecord: ({ type, target }) => [type, target],
  acknowledge: dropMirrored,
};

/** Deletes the row's record from the mirror. */
export async function dropMirrored(row: OutboxRow, _success: Success, { db }: AckContext): Promise<Acknowledged> {
  const id = await serverId(db, row.target);
  if (id !== null) await db.records.delete([row.type, id]);
  return UNVERSIONED;
}
