import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';
import { toLifetime } from './lifetime.ts';

/** How long a guardian can come back with the link in the newest mail. */
const LOOK_DAYS = 365;

const params = z.object({ state: z.enum(['agreed', 'declined', 'withdrawn']) });

/** Tells a guardian what they decided, with a link to decide otherwise. */
export const GUARDIAN_DONE = defineMail({
  name: 'guardian.done',
  params,
  link: { purpose: 'guardian', page: '/guardian', lifetimeMs: toLifetime(LOOK_DAYS) },
  compose: ({ state }, { name, url }) => ({
    subject: state === 'agreed' ? `You agreed to ${name}’s page` : `${name}’s page stays hidden`,
    blocks: [
      'Hello,',
      state === 'agreed'
        ? `you agreed that others may see the page of ${name} on Callboard. You can withdraw at any time: the page is hidden at once.`
        : `nobody but ${name} sees the page on Callboard. If you change your mind, you can agree at any time.`,
      { label: state === 'agreed' ? 'Look again or withdraw' : 'Look again', url },
      'The link works for a year. Please keep this e-mail.',
    ],
  }),
});

const TOLD = {
  agreed: {
    subject: 'Your parent or guardian has agreed',
    text: 'your parent or guardian has agreed. Others can see your page now.',
  },
  declined: {
    subject: 'Your parent or guardian has not agreed',
    text: 'your parent or guardian has not agreed. Only you see your page. You can go on building it, and talk with them about it.',
  },
  withdrawn: {
    subject: 'Your page is hidden again',
    text: 'your parent or guardian no longer agrees. Only you see your page now. Everything in it is still there.',
  },
};

/** Tells a minor what the guardian decided. It has no link: that one is the guardian’s. */
export const GUARDIAN_TOLD = defineMail({
  name: 'guardian.told',
  params,
  compose: ({ state }, { name, home }) => ({
    subject: TOLD[state].subject,
    blocks: [`Hello ${name},`, TOLD[state].text, { label: 'Open Callboard', url: home }],
  }),
});
