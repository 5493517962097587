import { eq } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { MAIL_CALLS } from '#contract/mail-calls.ts';
import { mailBouncesBody } from '#contract/records/mail.ts';
import { users } from '#server/platform/db/schema.ts';
import { invalid, notFound, unauthorized } from '#server/platform/http/errors.ts';
import { noContent, ok } from '#server/platform/http/response.ts';
import { actionRoute, publicAccess } from '#server/platform/http/route.ts';
import { messageOnly } from '#server/platform/http/schemas.ts';
import { isEqualConstantTime } from '#server/platform/live/channels.ts';
import { takeMailEvent } from './bounces.ts';
import { MAIL_SWITCHES } from './kind.ts';
import { readStopToken } from './stop-links.ts';

const MAX_FORM_BYTES = 4096;

/** A mail program that stops mails for a person sends a form, of either type. What it says is known from the address. */
function acceptAnyForm(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES }, (_request, _body, done) =>
    done(null),
  );
}

/** @throws 401 without the secret; 404 if the operator has set none */
function requireSecret({ headers }: FastifyRequest, secret: string | undefined): void {
  if (secret === undefined) throw notFound('page');
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (!isEqualConstantTime(given, secret)) throw unauthorized();
}

/** What mail programs and mail services tell this server. */
export function mailRoutes(app: FastifyInstance): void {
  void app.register(async (forms) => {
    acceptAnyForm(forms);
    // A GET of the same path shows the page of the app, which asks first: programs that scan mail open links.
    actionRoute(forms, {
      endpoint: MAIL_CALLS.stopMail,
      summary:
        'Switches mails of one kind off, from a link in such a mail or from the button of a mail program (RFC 8058)',
      access: publicAccess(),
      params: z.object({ token: z.string() }),
      responses: { 200: messageOnly },
      handler: async ({ params, db }) => {
        const link = await readStopToken(db, params.token);
        if (link === null) throw invalid({ token: ['This link no longer works. Sign in and look in Settings.'] });
        const { userId, switchedBy } = link;
        await db
          .update(users)
          .set({ [switchedBy]: false })
          .where(eq(users.id, userId));
        return ok({ message: `You no longer get e-mails about ${MAIL_SWITCHES[switchedBy]}` });
      },
    });
  });

  actionRoute(app, {
    endpoint: MAIL_CALLS.mailBounces,
    summary: 'Takes reports of the mail service about bounces and complaints; needs MAIL_WEBHOOK_SECRET',
    access: publicAccess(async ({ request }) => requireSecret(request, app.deps.config.mailWebhookSecret)),
    body: mailBouncesBody,
    responses: { 204: null },
    handler: async ({ body, db }) => {
      for (const event of body.events) await takeMailEvent(db, event);
      return noContent();
    },
  });
}
