import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { changeEmailBody, changeNameBody, userRecord } from '#contract/records/account.ts';
import { refuseOfficeLookalike } from '#server/platform/access/offices.ts';
import { recordForConnections } from '#server/platform/access/watchers.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { users } from '#server/platform/db/schema.ts';
import { requireAllowedName } from '#server/platform/http/display-names.ts';
import { invalid, unauthorized } from '#server/platform/http/errors.ts';
import { requireFreshSignIn } from '#server/platform/http/fresh-sign-in.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { ok } from '#server/platform/http/response.ts';
import { actionRoute, requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { recordConversationChanges } from '#server/features/chat/conversations.ts';
import { endLinks } from '#server/features/mail/links.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { EMAIL_CHANGE } from '#server/features/mail/templates/email-change.ts';
import { findUserByEmail, lockUser, presentUser } from './store.ts';
import { runUnrecordedWrite } from './unrecorded-write.ts';

const presentChanged = async (tx: Db, userId: number, fields: Partial<typeof users.$inferInsert>, now: Date) => {
  const [user] = await tx.update(users).set(fields).where(eq(users.id, userId)).returning();
  if (user === undefined) throw unauthorized();
  return presentUser(tx, { ...user, userId }, now);
};

/** Changes of a person's name and e-mail address. */
export function nameAndEmailRoutes(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: ACCOUNT_CALLS.changeName,
    summary: 'Changes the caller’s name; the addresses of their pages stay',
    access: requiredAccount(),
    body: changeNameBody,
    responses: { 200: withRecord(userRecord) },
    handler: async ({ body, caller, db, now, changes }) => {
      if (body.name !== caller.name) {
        requireAllowedName(body.name, 'name');
        await refuseOfficeLookalike(db, body.name, 'name', caller.userId);
      }
      const data = await presentChanged(db, caller.userId, { name: body.name }, now);
      // Their lists show the name of a person without a profile, and conversations always do.
      await recordForConnections(db, changes, caller.userId);
      await recordConversationChanges(db, changes, caller.userId);
      return ok({ message: 'Name changed', data });
    },
  });

  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.changeEmail,
    summary: 'Sends a link to a new address, which replaces the present one once the link is opened',
    access: requiredAccount(),
    isOpenToSuspended: true,
    body: changeEmailBody,
    responses: { 200: withRecord(userRecord), 202: withRecord(userRecord) },
    handler: async ({ body, caller, now }) => {
      const { userId } = caller;
      requireFreshSignIn(caller, now);
      return runUnrecordedWrite(app, async ({ tx }) => {
        const { email } = await lockUser(tx, userId);
        // Links to an address that was asked for before no longer work.
        await endLinks(tx, userId, 'change-email');
        if (body.email === email) {
          const data = await presentChanged(tx, userId, { pendingEmail: null }, now);
          return ok({ message: `Your e-mail stays ${email}`, data });
        }
        // Before the answer, which tells whether somebody has an account: nobody may ask that of many addresses.
        const refund = await app.deps.sharedLimiter.take(LIMIT.emailChanges, String(userId));
        if ((await findUserByEmail(tx, body.email)) !== null) {
          await refund();
          const text = 'There is already an account with this e-mail. If it’s yours, sign in there and delete it first';
          throw invalid({ email: [text] });
        }
        const data = await presentChanged(tx, userId, { pendingEmail: body.email }, now);
        await queueMail(tx, EMAIL_CHANGE, {}, { userId, address: body.email }, now);
        return {
          status: 202,
          body: { message: `We’ve sent a link to ${body.email}. Open it to change your e-mail`, data },
        };
      });
    },
  });
}
