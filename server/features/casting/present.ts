import { eq, inArray } from 'drizzle-orm';
import * as z from 'zod/mini';
import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import { projectRecord, roleRecord, type AuditionRequest, type Project, type Role } from '#contract/records/casting.ts';
import { getVerified } from '#server/platform/access/offices.ts';
import { getRights, type ProjectRight } from '#server/platform/access/projects.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { profiles, profileTypes, users } from '#server/platform/db/schema.ts';
import { storagePath } from '#server/platform/storage/storage.ts';
import { toRowValues } from '../sections/guards.ts';
import type { ProjectRow, RequestRow, RoleRow } from './rows.ts';
import { presentShared } from './shared-record.ts';

const presentKept = ({ id, clientId, version, createdAt, updatedAt }: ProjectRow | RoleRow) => ({
  id: String(id),
  client_id: clientId,
  version,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});

/** Presents a project to somebody who reads it, by default to its owner. */
export const presentProject = (row: ProjectRow, right: ProjectRight = 'own'): Project =>
  z.parse(projectRecord, {
    ...toRowValues(PROJECT_FORM, row.body),
    ...presentKept(row),
    status: row.status,
    my_role: right,
  });

/** Presents projects to their owner or a colleague. */
export async function presentProjects(db: Db, rows: readonly ProjectRow[], readerId: number): Promise<Project[]> {
  const rights = await getRights(db, rows, readerId);
  return rows.map((row) => presentProject(row, rights.get(row.id)));
}

export const presentRole = (row: RoleRow): Role =>
  z.parse(roleRecord, {
    ...toRowValues(ROLE_FORM, row.body),
    ...presentKept(row),
    project_id: String(row.projectId),
    status: row.status,
    columns: row.columns,
  });

export type Performer = NonNullable<AuditionRequest['performer']>;

/** Performers, by the profile by which they are asked or on a shortlist. What others do not see of a profile is left out. */
export async function getPerformers(db: Db, profileIds: number[]): Promise<Map<number, Performer>> {
  if (profileIds.length === 0) return new Map();
  const rows = await db
    .select({ profile: profiles, type: profileTypes, name: users.name, slug: users.slug })
    .from(profiles)
    .innerJoin(profileTypes, eq(profileTypes.id, profiles.profileTypeId))
    .innerJoin(users, eq(users.id, profiles.userId))
    .where(inArray(profiles.id, profileIds));
  const verified = await getVerified(
    db,
    rows.map(({ profile }) => profile.userId),
  );
  return new Map(
    rows.map(({ profile, type, name, slug }) => {
      const photoKey = profile.isShown ? profile.photoKey : null;
      const performer = {
        user_id: String(profile.userId),
        profile_id: String(profile.id),
        name,
        title: profile.isShown ? profile.title : null,
        profile_photo: photoKey === null ? null : storagePath(photoKey),
        slug: profile.isShown ? slug : null,
        profile_type: profile.isShown ? { ...type, id: String(type.id) } : null,
        verified: verified.get(profile.userId) ?? null,
      };
      return [profile.id, performer];
    }),
  );
}

/** Presents requests to the side that casts. */
export async function presentRequests(db: Db, rows: readonly RequestRow[]): Promise<AuditionRequest[]> {
  const performers = await getPerformers(
    db,
    rows.flatMap(({ profileId }) => profileId ?? []),
  );
  return rows.map((row) => ({
    ...presentShared(row),
    client_id: row.clientId,
    role_id: String(row.roleId),
    performer: row.profileId === null ? null : (performers.get(row.profileId) ?? null),
  }));
}

export async function presentRequest(db: Db, row: RequestRow): Promise<AuditionRequest> {
  const [presented] = await presentRequests(db, [row]);
  if (presented === undefined) throw new Error('A request was not presented');
  return presented;
}
