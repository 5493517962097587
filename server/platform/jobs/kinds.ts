import type * as z from 'zod/mini';

/** A kind of job. Its name and the shape of its payload are stored, so a change must still accept jobs that wait. */
export interface JobKind<Payload> {
  /** Feature and verb, for example `account.erase`. */
  name: string;
  /** Ids only. */
  payload: z.ZodMiniType<Payload>;
  /** How often it is tried. The pause grows from 3 seconds to 6 hours: 15 tries take about a day and a half. */
  tries: number;
}

/** For work that must be done in the end, however long its cause is broken. The largest number that the queue stores. */
export const UNLIMITED_TRIES = 32_767;

export const defineJob = <Payload>(kind: JobKind<Payload>): JobKind<Payload> => kind;
