import * as z from 'zod/mini';
import { isPosition } from '../casting/position.ts';
import { SHORTLIST_LIMITS } from '../casting/shortlist.ts';
import { boundedText, idText } from '../schema.ts';
import { performerRecord } from './casting.ts';

/** Somebody on the shortlist of a role. Only the side that casts reads it. */
export const candidateRecord = z.object({
  id: z.string(),
  client_id: z.nullable(z.string()),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  role_id: z.string(),
  /** The id of a column of the role. A card whose column was removed stands in the first one. */
  column: z.string(),
  /** Orders the cards of a column, see `contract/casting/position.ts`. */
  position: z.string(),
  performer: performerRecord,
});
export type Candidate = z.infer<typeof candidateRecord>;

const columnId = boundedText(SHORTLIST_LIMITS.columnId, { missing: 'Choose a column' });
const position = z
  .string({ error: 'Say where in the column' })
  .check(z.refine(isPosition, { error: 'Use letters and digits that do not end in 0' }));

export const addCandidateBody = z.object({
  role_id: idText,
  profile_id: idText,
  client_id: z.optional(z.uuid({ error: 'Send a UUID' })),
  column: columnId,
  position,
});

/** Column and place belong together: a place means nothing in another column. */
export const moveCandidateBody = z.object({ column: columnId, position });

/** Twice the columns there can be: all of them removed and as many added. */
const MOST_CHANGES = 2 * SHORTLIST_LIMITS.columns;

export const columnsBody = z.object({
  columns: z
    .array(
      z.object(
        {
          id: columnId,
          name: z.nullable(boundedText(SHORTLIST_LIMITS.columnName, { missing: 'Name the column' })),
        },
        { error: 'Send an id and a name' },
      ),
      { error: 'Send a list' },
    )
    .check(
      z.minLength(1, { error: 'Send at least one column' }),
      z.maxLength(MOST_CHANGES, { error: `Send ${MOST_CHANGES} or fewer` }),
    ),
});
