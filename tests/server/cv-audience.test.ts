import { describe, expect, test } from 'vitest';
import type { Privacy, SettingsRecord } from '#contract/records/account.ts';
import type { ProfilePage } from '#contract/records/page.ts';
import { sectionsOf } from '#contract/sections/index.ts';
import { DEFAULT_CHOICES, type Audience } from '#features/cv/choices.ts';
import { toCvContent, type CvSource } from '#features/cv/cv-content.ts';
import { addCredit, addSkill } from './support/people.ts';
import { useTestServer } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { addPerformer, change, get } = viewerCalls(testServer);

/** What a device makes a CV from, as the server sent it. */
function toSource({ profile, rows }: ProfilePage): CvSource {
  const sections = sectionsOf(profile.profile_type.slug).map(({ key, set }): [string, Record<string, unknown>[]] => {
    const found = rows[key] ?? [];
    return [key, set ? [set.valuesOf(found)] : found];
  });
  return { profile, rows: Object.fromEntries(sections), languages: [], pageUrl: null };
}

/** Prints everything that is in the source, but for what a CV never has. */
const printAll = (source: CvSource) => {
  const privacy = { phone: true, email: true, day_rate: true, search_engines: true };
  return toCvContent(source, { isMinor: false, privacy }, { ...DEFAULT_CHOICES, audience: 'connections' });
};

describe('a CV that is made from everything', () => {
  const switches: readonly Partial<Privacy>[] = [
    { phone: true, email: true, day_rate: true },
    { phone: false, email: true, day_rate: false },
    { phone: true, email: false, day_rate: true },
    { phone: false, email: false, day_rate: false },
  ];
  const viewers: readonly (readonly [Audience, string])[] = [
    ['public', 'stranger'],
    ['connections', 'connection'],
  ];

  test.each(switches)('has what the server shows to others under the switches %j', async (wanted) => {
    const owner = await addPerformer();
    await change(owner, owner.profileId, { location: 'Pune', min_age_range: 24, max_age_range: 36 });
    await addCredit(testServer, owner, owner.profileId);
    await addSkill(testServer, owner, owner.profileId);
    await testServer.call('PUT /settings', { token: owner.token, body: { privacy: wanted } });
    const { privacy } = await get<SettingsRecord>('GET /settings', owner);
    if (privacy === undefined) throw new Error('The server has no switches');
    const page = `GET /profiles/page/${owner.name.toLowerCase().replace(' ', '-')}/actor-performer`;
    const own = toSource(await get<ProfilePage>(page, owner));
    for (const [audience, viewer] of viewers) {
      const seen = toSource(await get<ProfilePage>(page, owner, { 'x-view-as': viewer }));
      expect(toCvContent(own, { isMinor: false, privacy }, { ...DEFAULT_CHOICES, audience }), audience).toEqual(
        printAll(seen),
      );
    }
  });
});
