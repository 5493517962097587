import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { pathOf } from '#contract/path.ts';
import type { Endpoint } from '#contract/section.ts';
import { type DisconnectPatch, type DisconnectReason, getPersonLane } from '#db/patches.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import { jsonRequest } from './build-request.ts';
import { dropMirrored } from './delete-record.ts';
import { INTENT_REFUSALS, type Operation } from './operation.ts';
import { parseConfirmation } from './parse-answer.ts';
import { capitalize, getName } from './record-words.ts';

const CALLS: Record<DisconnectReason, Endpoint> = {
  remove: ENGINE_CALLS.endConnection,
  decline: ENGINE_CALLS.declineConnection,
  block: ENGINE_CALLS.block,
};

/** Ends a connection, declines or withdraws a request, or blocks a person. */
export const disconnect: Operation<DisconnectPatch> = {
  kind: 'delete',
  isFor: (type) => type === CONNECTION,
  lane: ({ patch }) => getPersonLane(patch.userId),
  slot: 'json',
  makesTarget: false,
  needsProbe: false,
  endpoint: ({ patch }) => CALLS[patch.way],
  buildRequest(row, { endpoint, server, resolve }) {
    const path = pathOf(endpoint, { id: resolve(row.target), userId: row.patch.userId });
    return Promise.resolve(server.addPrecondition(jsonRequest(endpoint.method, path), row.baseVersion));
  },
  parseAnswer: parseConfirmation,
  describe: ({ patch }) => `${capitalize(patch.way)} ${getName(patch)}`,
  icon: 'remove person',
  summarize: () => '',
  about: 'wish',
  refusals: () => ({ ...INTENT_REFUSALS, missing: 'done' }),
  unversionedRecord: ({ type, target }) => [type, target],
  acknowledge: dropMirrored,
};
