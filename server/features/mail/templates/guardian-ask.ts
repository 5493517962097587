import * as z from 'zod/mini';
import { defineMail, type MailContext, type MailText } from '../kind.ts';
import { toLifetime } from './lifetime.ts';

/** How long a guardian has to answer. */
const ASK_DAYS = 30;
const link = { purpose: 'guardian', page: '/guardian', lifetimeMs: toLifetime(ASK_DAYS) } as const;

const compose = (subject: string, opening: string, { name, url }: MailContext): MailText => ({
  subject,
  blocks: [
    'Hello,',
    opening,
    `${name} is under 18 and has named you as parent or guardian. Other people see the page only if you agree. Whether you agree or not, strangers can neither write to ${name} nor see phone numbers, addresses or pay.`,
    { label: 'See what it is about', url },
    `The link works for ${ASK_DAYS} days. If you don’t know ${name}, decline there, or ignore this e-mail: the page stays hidden.`,
  ],
});

/** Asks a guardian whether the page of a minor may be public. */
export const GUARDIAN_ASK = defineMail({
  name: 'guardian.ask',
  params: z.object({}),
  link,
  compose: (_params, context) =>
    compose(
      `${context.name} asks for your permission`,
      `${context.name} would like to show a page on Callboard, where actors and other people of film and theatre present themselves to those who cast.`,
      context,
    ),
});

/** Asks again, some days later. */
export const GUARDIAN_REMIND = defineMail({
  name: 'guardian.remind',
  params: z.object({}),
  link,
  compose: (_params, context) =>
    compose(
      `${context.name} still waits for your permission`,
      `some days ago we asked you about the page that ${context.name} would like to show on Callboard.`,
      context,
    ),
});
