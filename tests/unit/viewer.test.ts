import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { describe, expect, it } from 'vitest';
import type { Profile } from '#contract/records/profile.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { AccountDb } from '#db/database.ts';
import type { CachedProfilePage } from '#db/rows.ts';
import { deleteCachedPage, saveCachedPage, setPinned, readCachedPage, withoutPrivate } from '#db/cached-pages.ts';
import { getProfileUrl, formatFacts } from '#lib/profile-url.ts';
import { toQrPath } from '#shared/qr-path.ts';
import { getPublicFacts } from '#features/profile/viewer/public-facts.ts';
import { toJourneyStops } from '#features/profile/viewer/journey.ts';

const page = (address: string, openedAt: number, over: Partial<CachedProfilePage> = {}): CachedProfilePage => ({
  address,
  id: address,
  profile: {},
  rows: {},
  others: [],
  tags: {},
  kept: false,
  openedAt,
  ...over,
});

const store = () => new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });

describe('the journey timeline', () => {
  const stop = (year: number) => ({ id: String(year), year, title: `In ${year}`, description: null });

  it('sorts the stops newest first and ends with the current year', () => {
    const years = toJourneyStops([stop(2019), stop(2021)], 2026).map(({ year, title }) => [year, title]);
    expect(years).toEqual([
      [2026, 'Today'],
      [2021, 'In 2021'],
      [2019, 'In 2019'],
    ]);
  });

  it('adds no stop for today when a highlight is of the current year', () => {
    expect(toJourneyStops([stop(2026), stop(2021)], 2026).map(({ title }) => title)).toEqual(['In 2026', 'In 2021']);
  });
});

describe('the public facts', () => {
  const profile = { location: 'Pune', min_age_range: 24, max_age_range: 36, per_day: 18_000 } as Profile;

  it('leave out empty values', () => {
    const rows = {
      attribute: [
        { attribute_key: 'Weight', attribute_value: '60' },
        { attribute_key: 'Height', attribute_value: '168.5' },
      ],
      language: [{ name: 'Marathi' }, { name: 'Hindi' }],
    };
    expect(getPublicFacts(profile, rows).map(({ label, value }) => [label, value])).toEqual([
      ['City', 'Pune'],
      ['Playing age', '24 to 36'],
      ['Height', '168.5 cm'],
      ['Languages', 'Marathi, Hindi'],
      ['Day rate', '₹18,000 per day'],
    ]);
    const empty = { location: null, min_age_range: null, max_age_range: null, per_day: null } as Profile;
    expect(getPublicFacts(empty, {})).toEqual([]);
  });

  it('are formatted in one line for the casting card', () => {
    expect(formatFacts('Pune', '24 to 36')).toBe('Pune, plays 24 to 36');
    expect(formatFacts(null, '24 to 36')).toBe('Plays 24 to 36');
    expect(formatFacts('Pune', '')).toBe('Pune');
  });

  it('have a URL once the server has the profile', () => {
    const known = { slug: 'meera', profile_type: { slug: 'voice-artist' } } as Profile;
    expect(getProfileUrl(known, 'https://c.example')).toBe('https://c.example/profile/meera/voice-artist');
    expect(getProfileUrl({ stage_name: 'Meera' } as Profile, 'https://c.example')).toBeNull();
  });
});

it('draws a square QR code with a quiet zone', () => {
  const { path, size } = toQrPath('https://callboard.example/profile/meera-kulkarni/actor-performer');
  const starts = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, width]) => [
    Number(x),
    Number(y),
    Number(width),
  ]);
  expect(Math.min(...starts.map(([x]) => x!))).toBe(4);
  expect(Math.min(...starts.map(([, y]) => y!))).toBe(4);
  expect(Math.max(...starts.map(([x, , width]) => x! + width!))).toBe(size - 4);
});

describe('the cache of profile pages', () => {
  it('omits what the owner does not show to everyone', () => {
    const contacts = [
      { id: '1', contact_type: 'basic', name: 'At home' },
      { id: '2', contact_type: 'representative', name: 'Nandi Artists' },
    ];
    const opened = page('meera/actor', 1, {
      profile: { stage_name: 'Meera', per_day: 18_000, dob: null },
      rows: { contact: contacts, skill: [{ id: '3', name: 'Kathak', level: 3 }] },
      tags: { '/profiles/page/meera/actor': '"a"' },
    });
    const kept = withoutPrivate(opened, SECTIONS);
    expect(JSON.stringify(kept)).not.toMatch(/18000|At home/);
    expect(kept.rows.contact).toEqual([contacts[1]]);
    // An incomplete copy has no tag, so that the server sends the whole page next time.
    expect(kept.tags).toEqual({});
    expect(opened.profile.per_day).toBe(18_000);
    const open = { ...opened, profile: { stage_name: 'Meera', per_day: null, dob: null }, rows: {} };
    expect(withoutPrivate(open, SECTIONS).tags).toEqual(open.tags);
  });

  it('omits the number and the e-mail of an agent, which a connection sees whatever the owner lets others see', () => {
    const agent = { id: '2', contact_type: 'representative', name: 'Nandi Artists' };
    const shown = { ...agent, mobile: '+91 20 5550 1234', email: 'desk@nandi.example' };
    const keep = (connection: { status: string } | null) =>
      withoutPrivate(
        page('meera/actor', 1, {
          profile: { stage_name: 'Meera', per_day: null, dob: null, connection },
          rows: { contact: [shown] },
          tags: { '/profiles/page/meera/actor': '"a"' },
        }),
        SECTIONS,
      );
    expect(keep({ status: 'accepted' }).rows.contact).toEqual([{ ...agent, mobile: null, email: null }]);
    expect(keep({ status: 'accepted' }).tags).toEqual({});
    // Everybody sees what somebody without a connection sees.
    for (const connection of [null, { status: 'pending' }]) expect(keep(connection).rows.contact).toEqual([shown]);
  });

  it('evicts the oldest pages, except pinned ones', async () => {
    const db = store();
    for (let n = 0; n < 200; n += 1) await saveCachedPage(db, page(`p${n}`, n));
    await setPinned(db, 'p0', true);
    await saveCachedPage(db, page('new', 1000));
    expect(await db.visited.count()).toBe(200);
    expect(await readCachedPage(db, 'p1')).toBeNull();
    expect(await readCachedPage(db, 'p0')).toMatchObject({ kept: true });
    // Opening the page again does not unpin it.
    await saveCachedPage(db, page('p0', 2000));
    expect(await readCachedPage(db, 'p0')).toMatchObject({ kept: true, openedAt: 2000 });
    await deleteCachedPage(db, 'p0');
    expect(await readCachedPage(db, 'p0')).toBeNull();
    db.close();
  });
});
