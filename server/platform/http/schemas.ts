import * as z from 'zod/mini';

/** A response with only a message. */
export const messageOnly = z.object({ message: z.string() });

/** The response to a create or update. */
export const withRecord = <T extends z.ZodMiniType>(record: T) => z.object({ message: z.string(), data: record });
