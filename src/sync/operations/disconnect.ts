import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { pathOf } from '#contract/path.ts';
import { CONNECTION } from '#db/people.ts';
import { jsonRequest } from './build-request.ts';
import { dropMirrored } from './delete-record.ts';
import { INTENT_REFUSALS, type Operation } from './operation.ts';
import { parseConfirmation } from './parse-answer.ts';
import { addVersion } from './record-calls.ts';
import { capitalize, getName } from './record-words.ts';

const CALLS = {
  remove: ENGINE_CALLS.endConnection,
  decline: ENGINE_CALLS.declineConnection,
  block: ENGINE_CALLS.block,
};

/** remove: withdraws a request or ends a connection. decline: refuses a request. block: ends it for good. */
export type DisconnectReason = keyof typeof CALLS;

/** Ends what there is between two people, or blocks somebody. */
export const disconnect: Operation = {
  kind: 'delete',
  isFor: (type) => type === CONNECTION,
  slot: 'json',
  makesTarget: false,
  needsProbe: false,
  endpoint: ({ patch }) => CALLS[patch.way as DisconnectReason],
  buildRequest(row, { endpoint, features, resolve }) {
    const path = pathOf(endpoint, { id: resolve(row.target), userId: String(row.patch.userId) });
    return Promise.resolve(addVersion(jsonRequest(endpoint.method, path), row, features.versions));
  },
  parseAnswer: parseConfirmation,
  describe: ({ patch }) => `${capitalize(String(patch.way))} ${getName(patch)}`,
  icon: 'remove person',
  summarize: () => '',
  about: 'wish',
  refusals: () => ({ ...INTENT_REFUSALS, missing: 'done' }),
  acknowledge: dropMirrored,
};
