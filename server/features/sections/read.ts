import { canViewRow, isVisitor, limitContacts } from '#contract/audience.ts';
import { sectionsOf } from '#contract/sections/index.ts';
import type { AnyRow, Section } from '#contract/section.ts';
import type { VisibleProfile } from '#server/platform/access/profiles.ts';
import { getSightOf } from '#server/platform/access/minors.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { presentFeedback, filterVisibleFeedback } from './feedback.ts';
import { presentSet } from './sets.ts';
import { listAllRows, presentRow, type SectionRow } from './store.ts';

/** Presents the rows of a section that the caller may see. @param rows all rows of the profile, in order */
export async function presentSection(
  db: Db,
  section: Section,
  rows: readonly SectionRow[],
  { profile, caller }: { profile: VisibleProfile; caller: Caller | null },
): Promise<AnyRow[]> {
  if (section.set) return presentSet(db, section, rows);
  if (section.writtenBy) {
    return presentFeedback(db, section, await filterVisibleFeedback(db, rows, caller, profile.viewerRole === 'owner'));
  }
  const seen = rows.filter((row) => canViewRow(profile.viewerRole, section.visibleTo(row.body)));
  const shown = seen.map((row) => presentRow(section, row));
  const isLimited = section.key === 'contact' && shown.length > 0 && isVisitor(profile.viewerRole);
  return isLimited ? limitContacts(shown, profile.viewerRole, await getSightOf(db, profile.userId)) : shown;
}

/** Presents all sections of a profile to the caller, by key; a single value becomes one row with the profile's id. */
export async function presentSections(
  db: Db,
  typeSlug: string,
  seen: { profile: VisibleProfile; caller: Caller | null },
): Promise<Record<string, AnyRow[]>> {
  const sections = sectionsOf(typeSlug);
  const rows = await listAllRows(db, sections, seen.profile.id);
  const shown: Record<string, AnyRow[]> = {};
  // Sequential, because most sections need no further query.
  for (const section of sections) {
    shown[section.key] =
      section.cardinality === 'one'
        ? [{ id: String(seen.profile.id), description: seen.profile.description }]
        : await presentSection(db, section, rows.get(section.key) ?? [], seen);
  }
  return shown;
}
