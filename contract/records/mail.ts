import * as z from 'zod/mini';

const MAX_EVENTS = 1000;

/** What a mail service reports about mails that it took. */
export const mailBouncesBody = z.object({
  events: z
    .array(
      z.object({
        /** The Message-ID of the mail, with or without angle brackets. */
        message_id: z
          .string({ error: 'Send the Message-ID' })
          .check(z.maxLength(998, { error: 'Send the Message-ID' })),
        /** `bounce`: it did not arrive. `complaint`: the person called it spam. */
        kind: z.enum(['bounce', 'complaint'], { error: 'Use bounce or complaint' }),
        /** Whether a bounce is final. One that is not, such as that of a full mailbox, changes nothing. */
        permanent: z.optional(z.boolean({ error: 'Use true or false' })),
      }),
      { error: 'Send a list' },
    )
    .check(z.maxLength(MAX_EVENTS, { error: `Send at most ${MAX_EVENTS} at once` })),
});
export type MailEvent = z.infer<typeof mailBouncesBody>['events'][number];
