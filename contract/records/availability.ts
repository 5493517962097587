import * as z from 'zod/mini';
import { DAY_STATES, type DayState, MAY_EXPIRE } from '../casting/availability.ts';
import { boundedText, calendarDay, idText } from '../schema.ts';

/** Bounds of availability. */
export const AVAILABILITY_LIMITS = {
  daysPerRequest: 120,
  note: 200,
  /** How far ahead a day may lie, and how long past ones are kept. */
  yearsAhead: 3,
  daysKept: 366,
  /** Days that one request may read of another person. */
  daysRead: 400,
} as const;

/** Who sees on which days somebody is free. `casting`: those who cast, while they ask this person to audition. */
export const AVAILABILITY_AUDIENCES = {
  nobody: 'Nobody',
  connections: 'My connections',
  casting: 'People who ask me to audition',
} as const;
export type AvailabilityAudience = keyof typeof AVAILABILITY_AUDIENCES;

export const availabilityFor = z.literal(Object.keys(AVAILABILITY_AUDIENCES) as AvailabilityAudience[], {
  error: 'Choose one from the list',
});

const state = z.nullable(z.literal(Object.keys(DAY_STATES) as DayState[], { error: 'Choose one from the list' }));

/** A day as its owner reads it. Its id is the day without hyphens. */
export const dayRecord = z.object({
  id: z.string(),
  date: z.string(),
  state,
  note: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  /** What another device said about this day and was not kept, until the owner has looked at it. */
  other: z.nullable(z.object({ state, note: z.nullable(z.string()), expires_at: z.optional(z.nullable(z.string())) })),
  version: z.int(),
  updated_at: z.string(),
});
export type DayRecord = z.infer<typeof dayRecord>;

const emptyToNull = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value);
const moment = z.pipe(
  z.iso.datetime({ offset: true, error: 'Send a date and time' }),
  z.transform((value) => new Date(value).toISOString()),
);
const valueShape = {
  state,
  note: z._default(z.pipe(z.transform(emptyToNull), z.nullable(boundedText(AVAILABILITY_LIMITS.note))), null),
  request_id: z._default(z.nullable(idText), null),
  expires_at: z._default(z.nullable(moment), null),
};

const dayEdit = z
  .object({
    date: calendarDay,
    ...valueShape,
    /** What the device knew of the day before; null or absent: nothing was said. */
    base: z._default(z.nullable(z.object(valueShape)), null),
    looked: z.optional(z.boolean({ error: 'Use true or false' })),
  })
  .check(
    z.refine((day) => day.expires_at === null || MAY_EXPIRE.includes(day.state), {
      error: 'Only a pencilled or held day can end by itself',
      path: ['expires_at'],
    }),
  );

export const setAvailabilityBody = z.object({
  days: z.array(dayEdit, { error: 'Send a list of days' }).check(
    z.minLength(1, { error: 'Send a day' }),
    z.maxLength(AVAILABILITY_LIMITS.daysPerRequest, {
      error: `Send ${AVAILABILITY_LIMITS.daysPerRequest} days or fewer`,
    }),
    z.refine((days) => new Set(days.map(({ date }) => date)).size === days.length, { error: 'Send each day once' }),
  ),
});

/** The days as they are now. `conflicts`: those of which two devices said different things. */
export const availabilitySet = z.object({
  message: z.string(),
  data: z.array(dayRecord),
  conflicts: z.array(dayRecord),
});

export const availabilityQuery = z.object({ from: z.optional(calendarDay), to: z.optional(calendarDay) });
export const availabilityList = z.object({ data: z.array(dayRecord) });

/** What others see: not which promise it is. A day that is not in the list was not stated. */
export const seenDay = z.object({ date: z.string(), is_free: z.boolean() });
export type SeenDay = z.infer<typeof seenDay>;
export const seenAvailability = z.object({ data: z.array(seenDay) });
