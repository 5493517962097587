import type { MailContext, MailKind, MailText } from '../kind.ts';
import { ACCOUNT_DELETED } from './account-deleted.ts';
import { AGE_DECLINED, AGE_GRANTED, AGE_GRANTED_GUARDIAN, AGE_REOPENED } from './age-decided.ts';
import { AGE_TURNED, AGE_TURNED_GUARDIAN } from './age-turned.ts';
import { DESK_WAITING } from './desk-waiting.ts';
import { EMAIL_CHANGE } from './email-change.ts';
import { EMAIL_CHANGED } from './email-changed.ts';
import { GUARDIAN_ASK, GUARDIAN_REMIND } from './guardian-ask.ts';
import { GUARDIAN_DONE, GUARDIAN_TOLD } from './guardian-done.ts';
import { MODERATION_HIDDEN } from './moderation-hidden.ts';
import { MODERATION_KEPT } from './moderation-kept.ts';
import { MODERATION_LIFTED } from './moderation-lifted.ts';
import { MODERATION_REMOVED } from './moderation-removed.ts';
import { MODERATION_SUSPENDED } from './moderation-suspended.ts';
import { NEW_SIGN_IN } from './new-sign-in.ts';
import { NEWS } from './news.ts';
import { PASSWORD_CHANGED } from './password-changed.ts';
import { PASSKEY_ADDED } from './passkey-added.ts';
import { PASSKEY_REFUSED } from './passkey-refused.ts';
import { PASSKEY_REMOVED } from './passkey-removed.ts';
import { RECOVERY_MADE } from './recovery-made.ts';
import { RECOVERY_USED } from './recovery-used.ts';
import { RESET } from './reset.ts';
import { VERIFY } from './verify.ts';

/** A kind of mail whose params come from the database. */
interface StoredMailKind extends Pick<MailKind<unknown>, 'name' | 'link' | 'switchedBy'> {
  compose: (params: unknown, context: MailContext) => MailText;
}

const toStored = <Params>({ name, link, switchedBy, params: schema, compose }: MailKind<Params>): StoredMailKind => ({
  name,
  ...(link && { link }),
  ...(switchedBy && { switchedBy }),
  compose: (params, context) => compose(schema.parse(params), context),
});

/** Every kind of mail, by its name. */
export const MAIL_KINDS: ReadonlyMap<string, StoredMailKind> = new Map(
  [
    toStored(VERIFY),
    toStored(RESET),
    toStored(PASSWORD_CHANGED),
    toStored(EMAIL_CHANGE),
    toStored(EMAIL_CHANGED),
    toStored(NEW_SIGN_IN),
    toStored(NEWS),
    toStored(PASSKEY_ADDED),
    toStored(PASSKEY_REMOVED),
    toStored(PASSKEY_REFUSED),
    toStored(RECOVERY_MADE),
    toStored(RECOVERY_USED),
    toStored(ACCOUNT_DELETED),
    toStored(GUARDIAN_ASK),
    toStored(GUARDIAN_REMIND),
    toStored(GUARDIAN_DONE),
    toStored(GUARDIAN_TOLD),
    toStored(AGE_TURNED),
    toStored(AGE_TURNED_GUARDIAN),
    toStored(AGE_GRANTED),
    toStored(AGE_GRANTED_GUARDIAN),
    toStored(AGE_DECLINED),
    toStored(AGE_REOPENED),
    toStored(DESK_WAITING),
    toStored(MODERATION_SUSPENDED),
    toStored(MODERATION_REMOVED),
    toStored(MODERATION_KEPT),
    toStored(MODERATION_LIFTED),
    toStored(MODERATION_HIDDEN),
  ].map((kind) => [kind.name, kind]),
);
