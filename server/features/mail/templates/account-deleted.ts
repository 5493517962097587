import * as z from 'zod/mini';
import { defineMail } from '../kind.ts';

/** Confirms the deletion of an account. The account is gone by then, so the name is stored with the mail. */
export const ACCOUNT_DELETED = defineMail({
  name: 'account.deleted',
  params: z.object({ name: z.string() }),
  compose: ({ name }, { home }) => ({
    subject: 'Your account has been deleted',
    blocks: [
      `Hello ${name},`,
      'your Callboard account has been deleted, with your profiles, media and messages. Copies in backups disappear as the backups are replaced.',
      `You are welcome back any time: ${home}`,
    ],
  }),
});
