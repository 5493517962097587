import * as z from 'zod/mini';
import { PENDING_KINDS } from '../pending.ts';

const count = z.optional(z.int());

/** Changes of a device that never arrived. */
export const lostRecord = z.object({
  /** Of the device. */
  id: z.string(),
  name: z.string(),
  /** Whether it is the device that asks. */
  current: z.boolean(),
  kinds: z.object(
    Object.fromEntries(PENDING_KINDS.map((kind) => [kind, count])) as Record<
      (typeof PENDING_KINDS)[number],
      typeof count
    >,
  ),
  /** The hour of the oldest change. */
  since: z.string(),
  /** When the device last said what waits there. */
  heard_at: z.string(),
  /** False if the storage of another device of this name was deleted: it may have been this one. */
  certain: z.boolean(),
  /** Whether the device was silent for so long that further changes may have waited there. */
  at_least: z.boolean(),
});
export type LostRecord = z.infer<typeof lostRecord>;
