import { and, eq, isNotNull, lt } from 'drizzle-orm';
import type { Clock } from '#server/platform/clock.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { mails, users } from '#server/platform/db/schema.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { JobError } from '#server/platform/jobs/failure.ts';
import type { Metrics } from '#server/platform/metrics/metrics.ts';
import { renderMail } from './layout.ts';
import { createLinkToken } from './links.ts';
import { SEND_MAIL } from './queue.ts';
import { noteUnreachable } from './reach.ts';
import { createStopUrl } from './stop-links.ts';
import { MAIL_KINDS } from './templates/index.ts';
import { MailRefused, type Mailer } from './transport.ts';

/** What is to happen to a mail that is about to be sent: it goes out with these params, waits, or is dropped for a reason. */
export type MailVerdict = { params: Record<string, unknown> } | { waitMs: number } | { reason: string };

/** Judges whether what a mail says still holds. Much may have happened while it waited. */
export type MailJudge = (
  mail: { userId: number; address: string; params: Record<string, unknown> },
  now: Date,
) => Promise<MailVerdict>;

export interface MailParts {
  db: Db;
  clock: Clock;
  metrics: Pick<Metrics, 'mails'>;
  mailer: Mailer;
  /** Address of this Callboard, for links. */
  home: string;
  /** Judges of kinds of mail, by their name. */
  judges?: Readonly<Record<string, MailJudge>>;
}

type MailRow = typeof mails.$inferSelect;

const DAY_MS = 24 * 60 * 60_000;
/** How long the address and the content of a mail are kept after its end, and the rest of its row. */
const CONTENT_DAYS = 7;
/** How long a mail may wait, also one whose tries are used up: until then an operator can have it sent. */
const WAITING_DAYS = 7;
const ROW_DAYS = 90;

/** Makes the link of a mail. @returns '' for a kind without a link; null if the mail has been dropped meanwhile */
async function createUrl({ db, clock, home }: MailParts, mail: MailRow & { address: string }): Promise<string | null> {
  const link = MAIL_KINDS.get(mail.kind)?.link;
  const { userId, request, address } = mail;
  if (link === undefined || userId === null) return '';
  const { purpose, page, lifetimeMs } = link;
  return db.transaction(async (tx) => {
    // Whoever takes back what the mail is about locks the person: they come first and drop the mail, or find its link and end it.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share');
    const [current] = await tx.select({ state: mails.state }).from(mails).where(eq(mails.id, mail.id));
    if (current?.state !== 'queued') return null;
    const expiresAt = new Date(clock.now().getTime() + lifetimeMs);
    return `${home}${page}#t=${await createLinkToken(tx, { request, userId, purpose, address, expiresAt })}`;
  });
}

async function judge(
  { clock, judges }: MailParts,
  { kind, userId, address, params }: MailRow & { address: string },
): Promise<MailVerdict> {
  const known = params ?? {};
  const byKind = judges?.[kind];
  return byKind === undefined || userId === null
    ? { params: known }
    : byKind({ userId, address, params: known }, clock.now());
}

/**
 * Sends a mail of the outbox. A mail that was sent is never sent again, except when the process is killed between the answer of the mail
 * server and the commit: then it goes out a second time under the same Message-ID. No transaction stays open while it talks to the mail server.
 */
export async function sendMail(parts: MailParts, id: number): Promise<void> {
  const { db, clock, metrics, mailer, home } = parts;
  const [mail] = await db.select().from(mails).where(eq(mails.id, id));
  if (mail?.state !== 'queued' || mail.address === null) return;
  const kind = MAIL_KINDS.get(mail.kind);
  if (kind === undefined) throw new JobError('no template', mail.kind);
  const end = async (state: 'sent' | 'refused' | 'dropped', lastCode: string | null) => {
    await db
      .update(mails)
      .set({ state, lastCode, tries: mail.tries + 1, endedAt: clock.now() })
      .where(eq(mails.id, id));
    metrics.mails.inc({ kind: kind.name, result: state });
  };
  const [user] = mail.userId === null ? [] : await db.select().from(users).where(eq(users.id, mail.userId));
  // The account was deleted meanwhile.
  if (user === undefined && kind.link !== undefined) return void (await end('dropped', 'no account'));
  const { address } = mail;
  const { switchedBy } = kind;
  if (user !== undefined && switchedBy !== undefined) {
    if (!user[switchedBy]) return void (await end('dropped', 'switched off'));
    if (user.unreachableEmail === address) return void (await end('dropped', 'unreachable'));
  }
  const verdict = await judge(parts, { ...mail, address });
  if ('reason' in verdict) return void (await end('dropped', verdict.reason));
  // One key for each mail: repeated after a kill, it is still one job.
  if ('waitMs' in verdict) return addJob(db, SEND_MAIL, { mail: id }, { key: `mail:${id}`, delayMs: verdict.waitMs });
  const stopUrl =
    user === undefined || switchedBy === undefined
      ? undefined
      : await createStopUrl(db, home, { userId: user.id, address, switchedBy });
  const url = await createUrl(parts, { ...mail, address });
  if (url === null) return;
  const text = kind.compose(verdict.params, { name: user?.name ?? '', address, home, url });
  const messageId = `<${mail.messageId}@${new URL(home).hostname}>`;
  try {
    await mailer.send({ ...renderMail(text), messageId, kind: mail.kind, to: address, url, stopUrl });
  } catch (error) {
    if (error instanceof MailRefused) {
      if (error.isAboutRecipient && user !== undefined) await noteUnreachable(db, user.id, address);
      return void (await end('refused', error.code));
    }
    metrics.mails.inc({ kind: kind.name, result: 'failed' });
    const lastCode = error instanceof JobError ? error.code : 'unknown';
    await db
      .update(mails)
      .set({ lastCode, tries: mail.tries + 1 })
      .where(eq(mails.id, id));
    throw error;
  }
  await end('sent', null);
}

/** Drops mails that were given up, removes addresses and contents of mails some days after their end, and later the rest. */
export async function tidyMails(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db
    .update(mails)
    .set({ state: 'dropped', lastCode: 'given up', address: null, params: null, endedAt: now })
    .where(and(eq(mails.state, 'queued'), lt(mails.createdAt, before(WAITING_DAYS))));
  await db
    .update(mails)
    .set({ address: null, params: null })
    .where(and(lt(mails.endedAt, before(CONTENT_DAYS)), isNotNull(mails.params)));
  await deleteInBatches(db, mails, lt(mails.endedAt, before(ROW_DAYS)));
}
