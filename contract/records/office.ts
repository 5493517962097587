import * as z from 'zod/mini';

/** A casting office that an operator of this Callboard has verified. Null: the person is none. Absent: from an older server. */
export const verified = z.optional(z.nullable(z.object({ name: z.string(), since: z.string() })));
export type Verified = NonNullable<z.infer<typeof verified>>;
