import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';

/** Tells a person that the desk has corrected their date of birth, as they asked. */
export const AGE_GRANTED = defineMail({
  name: 'age.granted',
  params: z.object({
    /** Whether they count as an adult with it. */
    isAdult: z.boolean(),
  }),
  compose: ({ isAdult }, { name, home }) => ({
    subject: 'Your date of birth is corrected',
    blocks: [
      `Hello ${name},`,
      isAdult
        ? 'a person at Callboard has checked and corrected your date of birth. You count as an adult now: you decide yourself who sees your page, and people you don’t know can write to you. What visitors see beyond that is up to you in Settings.'
        : 'a person at Callboard has checked and corrected your date of birth. You still count as under 18, so nothing else has changed.',
      { label: 'Open Settings', url: `${home}/settings` },
    ],
  }),
});

/** Tells the guardian of a person who counts as an adult now. */
export const AGE_GRANTED_GUARDIAN = defineMail({
  name: 'age.granted.guardian',
  params: z.object({}),
  compose: (_params, { name }) => ({
    subject: `${name} counts as an adult on Callboard now`,
    blocks: [
      'Hello,',
      `${name} asked us to correct the date of birth, and a person at Callboard has checked and corrected it. By the new date ${name} is 18 or older and decides alone about the page.`,
      'If this is not right, please tell the people who run Callboard at once: they can take it back.',
    ],
  }),
});

/** Tells a person why the desk has not corrected their date of birth. */
export const AGE_DECLINED = defineMail({
  name: 'age.declined',
  params: z.object({ words: z.string() }),
  compose: ({ words }, { name, home }) => ({
    subject: 'Your date of birth stays as it is',
    blocks: [
      `Hello ${name},`,
      'a person at Callboard has looked at your request to correct your date of birth, and has not changed it. They wrote:',
      words,
      'You can ask again in Settings, and say what we should know.',
      { label: 'Open Settings', url: `${home}/settings` },
    ],
  }),
});

/** Tells a person that the desk has taken the correction of their date of birth back, and checks it again. */
export const AGE_REOPENED = defineMail({
  name: 'age.reopened',
  params: z.object({}),
  compose: (_params, { name, home }) => ({
    subject: 'We are checking your date of birth again',
    blocks: [
      `Hello ${name},`,
      'we have taken the correction of your date of birth back, and are checking it again. Until then the date of before counts. If you are under 18 by it, only you see your page until a parent or guardian agrees.',
      { label: 'Open Settings', url: `${home}/settings` },
    ],
  }),
});
