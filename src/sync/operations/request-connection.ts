import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { pathOf } from '#contract/path.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import { getPersonLane, type RequestPatch } from '#db/patches.ts';
import type { OutboxRow } from '#db/rows.ts';
import { hasMessage } from '../server/own-answer.ts';
import { jsonRequest } from './build-request.ts';
import { INTENT_REFUSALS, type Operation, UNVERSIONED } from './operation.ts';
import { parseRecord } from './parse-answer.ts';
import { getName } from './record-words.ts';

/** The message of a request. */
const getRequestText = ({ patch }: Pick<OutboxRow<RequestPatch>, 'patch'>): string => patch.message ?? '';

/** Requests a connection. The target is the person, because the connection has no id yet. */
export const requestConnection: Operation<RequestPatch> = {
  kind: 'connect',
  lane: ({ target }) => getPersonLane(target),
  slot: 'json',
  makesTarget: false,
  needsProbe: false,
  endpoint: () => ENGINE_CALLS.requestConnection,
  buildRequest(row, { endpoint }) {
    const { message } = row.patch;
    const path = pathOf(endpoint, { userId: row.target });
    return Promise.resolve(jsonRequest(endpoint.method, path, message === undefined ? undefined : { message }));
  },
  parseAnswer: (body, type) => parseRecord(body.data, type) ?? (hasMessage(body) ? body : null),
  describe: ({ patch }) => `Connect with ${getName(patch)}`,
  icon: 'add person',
  summarize: getRequestText,
  getText: getRequestText,
  savedText: () => 'Connection request sent',
  // Connection requests have their own rate limit, which must not delay other changes.
  about: 'wish',
  refusals: () => ({ ...INTENT_REFUSALS, rateLimit: 'operation' }),
  showsServerMessage: true,
  unversionedRecord: () => [CONNECTION, null],

  async acknowledge(row, { record }, { db, laneRows, putMirror }) {
    if (record.id == null) return UNVERSIONED;
    const id = String(record.id);
    await putMirror({ type: CONNECTION, id, parent: null, body: record });
    // Give the new id to a withdrawal that was queued before.
    for (const each of await laneRows(row.lane))
      if (each.target === row.lane) await db.outbox.put({ ...each, target: id });
    return UNVERSIONED;
  },
};
