import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { pathOf } from '#contract/path.ts';
import { type AcceptPatch, getPersonLane } from '#db/patches.ts';
import { jsonRequest } from './build-request.ts';
import { INTENT_REFUSALS, type Operation } from './operation.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import { getName } from './record-words.ts';
import { requestConnection } from './request-connection.ts';

/** Accepts a connection request. */
export const acceptConnection: Operation<AcceptPatch> = {
  kind: 'accept',
  lane: ({ target }) => getPersonLane(target),
  slot: 'json',
  makesTarget: false,
  needsProbe: false,
  endpoint: () => ENGINE_CALLS.acceptConnection,
  buildRequest: (row, { endpoint }) =>
    Promise.resolve(jsonRequest(endpoint.method, pathOf(endpoint, { id: row.patch.connection }))),
  parseAnswer: requestConnection.parseAnswer,
  describe: ({ patch }) => `Accept ${getName(patch)}`,
  icon: 'add person',
  summarize: () => '',
  savedText: () => 'You’re connected',
  about: 'wish',
  goneText: 'They withdrew their request.',
  refusals: () => INTENT_REFUSALS,
  showsServerMessage: true,
  unversionedRecord: ({ patch }) => [CONNECTION, patch.connection],
  acknowledge: requestConnection.acknowledge,
};
