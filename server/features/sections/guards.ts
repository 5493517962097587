import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { canViewRow, isVisitor } from '#contract/audience.ts';
import type { AnyRow, Section } from '#contract/section.ts';
import { getWriteRefusal } from '#server/platform/access/profiles.ts';
import { getSightOf } from '#server/platform/access/minors.ts';
import { profiles } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import type { GuardInput } from '#server/platform/http/route.ts';
import { lockRow, type SectionRow } from './store.ts';

export const byId = z.object({ id: z.string() });

export const profileId = z.pipe(
  z.union([z.string().check(z.minLength(1), z.maxLength(64)), z.int()], { error: 'Choose the profile it belongs to' }),
  z.transform((value) => String(value)),
);

/** Returns every field of a row; empty fields are null. */
export function toRowValues(section: Pick<Section, 'fields'>, values: AnyRow): AnyRow {
  return Object.fromEntries(Object.keys(section.fields).map((key) => [key, values[key] ?? null]));
}

/** Picks the fields of a section or form that a body contains. */
export function pickFields(section: Pick<Section, 'fields'>, body: AnyRow): AnyRow {
  return Object.fromEntries(
    Object.entries(body).filter(([key, value]) => key in section.fields && value !== undefined),
  );
}

/** Locks a row for a write. @throws 404 if the caller may not know of it, 403 if it belongs to someone else */
export const lockOwnRow =
  (section: Section) =>
  async ({ db, caller, params }: GuardInput<Caller, { id: string }>): Promise<SectionRow> => {
    const row = await lockRow(db, section, requireId(params.id, section.noun));
    if (row === null) throw notFound(section.noun);
    if (row.userId === caller.userId) return row;
    const [profile] = await db.select().from(profiles).where(eq(profiles.id, row.profileId));
    const isForVisitors = section.key !== 'contact' || (await getSightOf(db, row.userId)).contacts;
    throw await getWriteRefusal(
      db,
      profile,
      caller,
      section.noun,
      (viewerRole) => canViewRow(viewerRole, section.visibleTo(row.body)) && (isForVisitors || !isVisitor(viewerRole)),
    );
  };
