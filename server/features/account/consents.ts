import { asc, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import { isKnownVersion, LEGAL_DOCUMENTS, type LegalDocument } from '#contract/legal.ts';
import { consentBody, consentRecord, type Consent } from '#contract/records/consent.ts';
import { updateWithholding } from '#server/platform/access/withholding.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { consents } from '#server/platform/db/schema.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { readRoute, requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';

type ConsentRow = typeof consents.$inferSelect;
/** Versions that somebody agrees to; what is missing is not agreed to. */
export type Agreed = Partial<Record<LegalDocument, string | undefined>>;

/** @throws 422 naming the document of which there is no such version */
export function requireKnownVersions(agreed: Agreed): void {
  for (const document of LEGAL_DOCUMENTS) {
    const version = agreed[document];
    if (version === undefined || isKnownVersion(document, version)) continue;
    throw invalid({ [document]: ['There is no such version'] });
  }
}

/** Records what somebody agrees to. A repeat changes nothing. */
export async function recordConsents(
  tx: Db,
  userId: number,
  agreed: Agreed,
  how: ConsentRow['how'],
  now: Date,
): Promise<void> {
  const rows = LEGAL_DOCUMENTS.flatMap((document) => {
    const version = agreed[document];
    return version === undefined ? [] : [{ userId, document, version, agreedAt: now, how }];
  });
  if (rows.length > 0) await tx.insert(consents).values(rows).onConflictDoNothing();
}

/** What the person agreed to, oldest first. */
export async function listConsents(db: Db, userId: number): Promise<Consent[]> {
  const rows = await db.select().from(consents).where(eq(consents.userId, userId)).orderBy(asc(consents.id));
  return rows.map(({ document, version, agreedAt }) => ({ document, version, agreed_at: agreedAt.toISOString() }));
}

/** Which versions of the texts a person agreed to. */
export function consentRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CONSENT_CALLS.consents,
    summary: 'The versions of terms and privacy policy that the caller agreed to',
    access: requiredAccount(),
    responses: { 200: z.array(consentRecord) },
    handler: async ({ caller, db }) => ok(await listConsents(db, caller.userId)),
  });

  writeRoute(app, {
    endpoint: CONSENT_CALLS.addConsent,
    summary: 'Records that the caller agrees to a version of a text, and shows pages that waited for that',
    access: requiredAccount(),
    body: consentBody,
    responses: { 201: withRecord(consentRecord) },
    handler: async ({ body, caller, db, changes, now }) => {
      const { document, version } = body;
      await recordConsents(db, caller.userId, { [document]: version }, 'prompt', now);
      await updateWithholding(db, changes, caller.userId);
      const own = await listConsents(db, caller.userId);
      const data = own.find((each) => each.document === document && each.version === version);
      return created({ message: 'Thank you', data });
    },
  });
}
