import * as z from 'zod/mini';

/** An answer that is only a sentence. */
export const messageOnly = z.object({ message: z.string() });

/** The answer to a create or change. */
export const withRecord = <T extends z.ZodMiniType>(record: T) => z.object({ message: z.string(), data: record });
