import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { pathOf } from '#contract/path.ts';
import { serverId } from '#db/canonical.ts';
import type { Patches } from '#db/patches.ts';
import { findFile } from './build-request.ts';
import { type Operation, UNVERSIONED } from './operation.ts';

/** Sets a stored file as the photo of a profile. */
export const setAvatar: Operation<Patches['avatar']> = {
  kind: 'avatar',
  // Not the profile's lane: edits do not wait behind a slow upload, and the fields are disjoint.
  lane: ({ target }) => `avatar:${target}`,
  slot: 'json',
  makesTarget: false,
  needsProbe: false,
  endpoint: () => ENGINE_CALLS.avatar,
  async buildRequest(row, { db, endpoint, server, resolve }) {
    const profileId = resolve(row.target);
    const file = await findFile(db, row);
    const json = { profileId, ...server.getUploadFields(file.id) };
    return server.buildFileRequest(db, pathOf(endpoint), file, { json, form: { profileId }, field: 'image' });
  },
  parseAnswer: (body) => (typeof body.profile_photo === 'string' ? body : null),
  describe: () => 'Profile photo',
  icon: 'picture',
  savedText: () => 'Avatar uploaded!',
  about: 'file',
  refusals: () => ({ conflict: 'merge', missing: 'gone', rateLimit: 'account' }),

  async acknowledge(row, { record }, { db, releaseFiles }) {
    const id = await serverId(db, row.target);
    const profile = id === null ? undefined : await db.records.get(['profile', id]);
    const isOlder = typeof record.version === 'number' && record.version < (profile?.version ?? 0);
    if (profile && !isOlder) {
      // If the version is the next one, nothing else changed in between, and the next edit may be based on it.
      const isNext = profile.version !== null && record.version === profile.version + 1;
      const body = { ...profile.body, profile_photo: record.profile_photo };
      await db.records.put(
        isNext
          ? { ...profile, body: { ...body, version: record.version }, version: Number(record.version) }
          : { ...profile, body },
      );
    }
    await releaseFiles(row, null);
    return UNVERSIONED;
  },
};
