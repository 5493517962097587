import { dropFiles } from '../queue/drop-files.ts';
import { createRecord } from './create-record.ts';
import { INTENT_REFUSALS, type Operation } from './operation.ts';

/** Records of casting that ask or tell somebody else something when they are created. */
const ASKED_TYPES: readonly string[] = ['request', 'tape', 'project_member', 'candidate'];

/**
 * Asks one performer to tape, announces a tape, invites a colleague to a project, or puts somebody on a shortlist. Each is a record of its own, so that of
 * several at once each is sent exactly once and refused by itself.
 */
export const askPerformer: Operation = {
  ...createRecord,
  isFor: (type) => ASKED_TYPES.includes(type),
  // It is refused for what happened to the role or the other person. There is nothing to merge, and another form to correct it.
  about: 'wish',
  goneText: 'It is no longer there, or they are not.',
  // None is ever edited on its way, so a record that is there already is this one, or another person’s card for the same performer, which stays where it is.
  async acknowledge(row, { record }, { db, putMade }) {
    const { lane, version } = await putMade(row, record);
    await dropFiles(db, row);
    return { lane, version };
  },
  // The limit of a day holds for requests alone.
  refusals: () => ({ ...INTENT_REFUSALS, rateLimit: 'operation' }),
};
