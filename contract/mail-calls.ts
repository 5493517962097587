import type { Endpoint } from './section.ts';

/** Endpoints for mail programs, mail services and the page of a link. A file of its own keeps them out of the first bundle. */
export const MAIL_CALLS = {
  stopMail: { method: 'POST', path: '/mail/stop/:token', isExtension: true },
  mailBounces: { method: 'POST', path: '/mail/bounces', isExtension: true },
} as const satisfies Record<string, Endpoint>;
