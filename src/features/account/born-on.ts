import * as z from 'zod/mini';
import { calendarDay } from '#contract/schema.ts';

/** The date of birth as a form asks for it. An empty field is named instead of called unreal. */
export const bornOn = z.pipe(z.string().check(z.minLength(1, { error: 'Enter your date of birth' })), calendarDay);

/** Whether a text is a whole day of the calendar. */
export const isDay = (text: string): boolean => calendarDay.safeParse(text).success;
