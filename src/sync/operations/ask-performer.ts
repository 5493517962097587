import { createRecord } from './create-record.ts';
import { INTENT_REFUSALS, type Operation } from './operation.ts';

/**
 * Asks one performer to tape, or announces a tape. Each request is a record of its own, so that of several at once each is sent exactly once and refused
 * by itself.
 */
export const askPerformer: Operation = {
  ...createRecord,
  isFor: (type) => type === 'request' || type === 'tape',
  // It is refused for what happened to the role or the other person. There is nothing to merge, and another form to correct it.
  about: 'wish',
  goneText: 'The role is gone, or they are.',
  // Neither is ever edited on its way, so a record that is there already is this one.
  async acknowledge(row, { record }, { putMade }) {
    const { lane, version } = await putMade(row, record);
    return { lane, version };
  },
  // The limit of a day holds for requests alone.
  refusals: () => ({ ...INTENT_REFUSALS, rateLimit: 'operation' }),
};
