import type { Audition } from '#contract/records/casting.ts';
import { getVerified } from '#server/platform/access/offices.ts';
import { getPersonSummaries } from '#server/platform/access/person-summaries.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { presentProject, presentRole } from '../casting/present.ts';
import { getParts, type Part, type RequestRow } from '../casting/rows.ts';
import { presentShared } from '../casting/shared-record.ts';

/** What a performer reads of a project. */
function presentProjectPart(row: Part['project']): Audition['project'] {
  const { id, title, type, company, synopsis, shoot_from, shoot_to } = presentProject(row);
  return { id, title, type, company, synopsis, shoot_from, shoot_to };
}

/** What a performer reads of a role. */
function presentRolePart(row: Part['role']): Audition['role'] {
  const { id, name, description, age_min, age_max, skills, location, pay, status } = presentRole(row);
  return { id, name, description, age_min, age_max, skills, location, pay, status };
}

/** Presents requests to the performer who was asked. Those that have ended have none. */
export async function presentAuditions(db: Db, rows: readonly RequestRow[]): Promise<Audition[]> {
  const owners = rows.map(({ userId }) => userId);
  const parts = await getParts(
    db,
    rows.map(({ roleId }) => roleId),
  );
  const summaries = await getPersonSummaries(db, owners);
  const verified = await getVerified(db, owners);
  return rows.flatMap((row) => {
    const part = parts.get(row.roleId);
    const summary = summaries.get(row.userId);
    if (row.profileId === null || part === undefined || summary === undefined) return [];
    const { name, title, profile_photo, slug, profile_type } = summary;
    const person = { user_id: String(row.userId), name, title, profile_photo, slug, profile_type };
    return [
      {
        ...presentShared(row),
        profile_id: String(row.profileId),
        casting: { ...person, verified: verified.get(row.userId) ?? null },
        project: presentProjectPart(part.project),
        role: presentRolePart(part.role),
      },
    ];
  });
}

export async function presentAudition(db: Db, row: RequestRow): Promise<Audition> {
  const [presented] = await presentAuditions(db, [row]);
  if (presented === undefined) throw new Error('An audition was not presented');
  return presented;
}
