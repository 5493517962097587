import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { joinWords, toCountText } from '../words.ts';

/** What is counted, with the words for one and for more. */
const NOUNS = {
  reports: ['report', 'reports'],
  appeals: ['appeal', 'appeals'],
  ageRequests: ['date of birth to check', 'dates of birth to check'],
} as const;

/** Tells somebody who works at the desk how much waits there, as numbers only: a mail lies about in places that we do not know. */
export const DESK_WAITING = defineMail({
  name: 'desk.waiting',
  /** Counted again when it is sent: see `desk/waiting-mail.ts`. */
  params: z.object({
    reports: z.int(),
    /** How many of the reports are about people under 18. */
    children: z.int(),
    appeals: z.int(),
    ageRequests: z.int(),
  }),
  compose: ({ reports, children, appeals, ageRequests }, { name, home }) => {
    const waiting = [
      { count: reports, nouns: NOUNS.reports },
      { count: appeals, nouns: NOUNS.appeals },
      { count: ageRequests, nouns: NOUNS.ageRequests },
    ].filter(({ count }) => count > 0);
    const text = joinWords(waiting.map(({ count, nouns }) => toCountText(count, nouns)));
    const aboutChildren =
      children === 1 ? '1 report about somebody under 18' : `${children} reports about people under 18`;
    const total = reports + appeals + ageRequests;
    const wait = (count: number) => (count === 1 ? 'waits' : 'wait');
    return {
      subject: `${children > 0 ? `${aboutChildren} ${wait(children)}` : `${text} ${wait(total)}`} at the desk`,
      blocks: [
        `Hello ${name},`,
        `${text} ${wait(total)} at the Callboard desk.${children > 0 ? ` Please begin with ${aboutChildren}.` : ''}`,
        { label: 'Open the desk', url: `${home}/desk` },
        'You get this e-mail because you work at the desk. We write when something new comes in, and once a day while anything waits.',
      ],
    };
  },
});
