import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Profile } from '#contract/records/profile.ts';
import { sectionOf, SECTIONS } from '#contract/sections/index.ts';
import { AUDIENCES, DEFAULT_CHOICES, HEAD_PARTS, PARTS, type CvChoices } from '#features/cv/choices.ts';
import type { PersonSight } from '#db/person-sight.ts';
import { toCvContent, UNKNOWN_PERSON, type CvSource } from '#features/cv/cv-content.ts';
import { quantity } from '#tests/support/quantity.ts';

/** Every value of a profile that could be printed, each recognizable. */
const MARKERS = {
  stageName: 'Stage Name',
  title: 'Profile Title',
  city: 'Home Town',
  agent: 'Agent Name',
  agentPhone: '+91 11111 11111',
  agentEmail: 'agent@agency.example',
  agentAddress: 'Agent Street',
  ownName: 'Own Name',
  ownPhone: '+91 22222 22222',
  ownEmail: 'own@home.example',
  ownAddress: 'Own Street',
  credit: 'Credit Title',
  course: 'Course Name',
  skill: 'Skill Name',
  award: 'Award Name',
  voice: 'Voice Text',
  feedback: 'Feedback Text',
  policy: 'Policy Text',
  aboutMe: 'About Text',
  highlight: 'Highlight Title',
} as const;
const DOB = '1994-08-17';
const DAY_RATE = 54_321;

const profile = {
  id: '1',
  user_id: '1',
  user: { id: '1', name: 'Account Name' },
  stage_name: MARKERS.stageName,
  slug: 'stage-name',
  status: 'active',
  profile_type: { id: '1', name: 'Actor', slug: 'actor' },
  title: MARKERS.title,
  location: MARKERS.city,
  per_day: DAY_RATE,
  dob: DOB,
  min_age_range: 26,
  max_age_range: 34,
  profile_industry_id: null,
  profile_photo: null,
  is_saved: 0,
  verified: null,
  connection: null,
  version: 1,
  updated_at: '2026-11-26T12:00:00Z',
} satisfies Profile;

const exampleOf = (key: string) => sectionOf(key)!.example;

const source: CvSource = {
  profile,
  rows: {
    experience: [{ ...exampleOf('experience'), experience_title: MARKERS.credit }],
    education: [{ ...exampleOf('education'), course_name: MARKERS.course }],
    skill: [{ ...exampleOf('skill'), name: MARKERS.skill }],
    award: [{ ...exampleOf('award'), award_name: MARKERS.award }],
    attribute: [exampleOf('attribute')],
    social_link: [exampleOf('social_link')],
    document: [{ driving_licence: true, passport: true, resume: true }],
    voice_characteristic: [{ name: MARKERS.voice }],
    feedback: [{ feedback: MARKERS.feedback }],
    policy: [{ name: MARKERS.policy }],
    about_me: [{ description: MARKERS.aboutMe }],
    highlight: [{ ...exampleOf('highlight'), title: MARKERS.highlight }],
    contact: [
      {
        contact_type: 'basic',
        name: MARKERS.ownName,
        mobile: MARKERS.ownPhone,
        email: MARKERS.ownEmail,
        address: MARKERS.ownAddress,
      },
      {
        contact_type: 'representative',
        name: MARKERS.agent,
        mobile: MARKERS.agentPhone,
        email: MARKERS.agentEmail,
        address: MARKERS.agentAddress,
      },
    ],
  },
  languages: ['Marathi', 'Hindi'],
  pageUrl: 'https://callboard.example/profile/stage-name/actor',
};

const OPEN = { phone: true, email: true, day_rate: true, search_engines: true };
const adult: PersonSight = { isMinor: false, privacy: OPEN };
const minor: PersonSight = { isMinor: true, privacy: OPEN };
const choose = (more: Partial<CvChoices>): CvChoices => ({ ...DEFAULT_CHOICES, ...more });

const printed = (person: PersonSight, choices: CvChoices, from = source) =>
  JSON.stringify(toCvContent(from, person, choices));
const has = (text: string, ...markers: string[]) => markers.map((marker) => text.includes(marker));

/** What every audience reads. */
const ALWAYS = [
  MARKERS.stageName,
  MARKERS.title,
  MARKERS.credit,
  MARKERS.course,
  MARKERS.skill,
  MARKERS.award,
  'Marathi',
  '172.5 cm',
  '26 to 34',
  'https://instagram.com/example',
  source.pageUrl!,
];
/** What no audience reads. */
const NEVER = [
  DOB,
  MARKERS.ownAddress,
  MARKERS.agentAddress,
  'assport',
  'icence',
  'Account Name',
  MARKERS.feedback,
  MARKERS.policy,
  MARKERS.aboutMe,
  MARKERS.highlight,
];
const OWN_CONTACT = [MARKERS.ownName, MARKERS.ownPhone, MARKERS.ownEmail];
const AGENT = [MARKERS.agent, MARKERS.agentPhone, MARKERS.agentEmail];
const DAY_RATE_TEXT = '54,321';

const ticks = fc.record({ dayRate: fc.boolean(), ownContact: fc.boolean() });
const privacies = fc.record({
  phone: fc.boolean(),
  email: fc.boolean(),
  day_rate: fc.boolean(),
  search_engines: fc.boolean(),
});

describe('what a CV shows', () => {
  test.each(AUDIENCES)('is what everybody may read, for %s', (audience) => {
    const text = printed(adult, choose({ audience }));
    expect(has(text, ...ALWAYS)).toEqual(ALWAYS.map(() => true));
    expect(has(text, MARKERS.city)).toEqual([true]);
    expect(has(text, ...NEVER)).toEqual(NEVER.map(() => false));
  });

  test('for anyone: the agent as far as the person shows it to visitors, and nothing private', () => {
    fc.assert(
      fc.property(privacies, ticks, (privacy, ticked) => {
        const text = printed({ isMinor: false, privacy }, choose({ audience: 'public', ...ticked }));
        expect(has(text, ...AGENT)).toEqual([true, privacy.phone, privacy.email]);
        expect(has(text, DAY_RATE_TEXT, ...OWN_CONTACT)).toEqual([false, false, false, false]);
      }),
    );
  });

  test('for connections: what the profile shows them', () => {
    fc.assert(
      fc.property(privacies, ticks, (privacy, ticked) => {
        const text = printed({ isMinor: false, privacy }, choose({ audience: 'connections', ...ticked }));
        expect(has(text, ...AGENT, ...OWN_CONTACT, DAY_RATE_TEXT)).toEqual([true, true, true, true, true, true, true]);
      }),
    );
  });

  test('for casting: the agent, and the own contact and the day rate only by the person’s word', () => {
    fc.assert(
      fc.property(privacies, ticks, (privacy, ticked) => {
        const text = printed({ isMinor: false, privacy }, choose({ audience: 'casting', ...ticked }));
        expect(has(text, ...AGENT)).toEqual([true, true, true]);
        expect(has(text, ...OWN_CONTACT)).toEqual(OWN_CONTACT.map(() => ticked.ownContact));
        expect(has(text, DAY_RATE_TEXT)).toEqual([ticked.dayRate]);
      }),
    );
  });

  test.each(AUDIENCES)('of a minor names no city and no contact but the agent, for %s', (audience) => {
    fc.assert(
      fc.property(privacies, ticks, (privacy, ticked) => {
        const text = printed({ isMinor: true, privacy }, choose({ audience, ...ticked }));
        expect(has(text, MARKERS.city, ...OWN_CONTACT, ...NEVER)).not.toContain(true);
        expect(has(text, ...AGENT)).toEqual(AGENT.map(() => audience !== 'public'));
        if (audience !== 'connections') expect(has(text, DAY_RATE_TEXT)).toEqual([false]);
      }),
    );
  });

  test('of a person whom the server has not described yet is that of a minor', () => {
    for (const audience of AUDIENCES) {
      const choices = choose({ audience, dayRate: true, ownContact: true });
      expect(printed(UNKNOWN_PERSON, choices)).toBe(printed(minor, choices));
    }
  });

  test('leaves out each part that the person leaves out', () => {
    const found: Partial<Record<string, string>> = {
      credits: MARKERS.credit,
      training: MARKERS.course,
      skills: MARKERS.skill,
      voice: MARKERS.voice,
      awards: MARKERS.award,
      links: 'https://instagram.com/example',
      code: source.pageUrl!,
      city: MARKERS.city,
      age: '26 to 34',
      attributes: '172.5 cm',
      languages: 'Marathi',
      contacts: MARKERS.agent,
    };
    for (const key of [...PARTS, ...HEAD_PARTS]) {
      const marker = found[key];
      if (marker === undefined) continue;
      expect(has(printed(adult, choose({})), marker), key).toEqual([true]);
      expect(has(printed(adult, choose({ leftOut: [key] })), marker), key).toEqual([false]);
    }
  });

  test('follows the order that the person chose', () => {
    const { parts } = toCvContent(source, adult, choose({ order: [...PARTS].reverse() }));
    expect(parts.map((part) => (part.kind === 'table' ? part.noun : part.title))).toEqual([
      'Links',
      'award',
      'Voice',
      'Skills',
      'course',
      'credit',
    ]);
  });

  test('groups credits by where they were, and links only to pages', () => {
    const types = ['Theatre', 'Movie', 'TV', 'Video', 'Cinema'];
    const experience = types.map((type) => ({
      ...exampleOf('experience'),
      experience_type: type,
      experience_title: type,
    }));
    const dangerous = { ...exampleOf('experience'), experience_type: 'TV', link: 'javascript:alert(1)' };
    const [part] = toCvContent(
      { ...source, rows: { experience: [...experience, dangerous] } },
      adult,
      choose({}),
    ).parts;
    if (part?.kind !== 'table') throw new Error('There are no credits');
    expect(part.groups.map(({ title, rows }) => [title, rows.length])).toEqual([
      ['Film', 2],
      ['Television', 2],
      ['Theatre', 1],
      ['Video', 1],
    ]);
    expect(part.groups[1]?.rows[1]?.url).toBeNull();
  });

  test('of an empty profile is its name', () => {
    const bare: Profile = {
      ...profile,
      title: null,
      location: null,
      per_day: null,
      dob: null,
      min_age_range: null,
      max_age_range: null,
    };
    const empty: CvSource = { profile: bare, rows: {}, languages: [], pageUrl: null };
    expect(toCvContent(empty, adult, choose({}))).toEqual({
      name: MARKERS.stageName,
      title: '',
      facts: [],
      pageUrl: null,
      parts: [],
    });
  });

  test('never has a private value, whatever the rows are and whatever is chosen', () => {
    // A private value that is also typed into a public field is public. So each private one has a mark that nothing else has.
    const SECRET = 'secret-';
    const words = fc.string({ maxLength: 20 }).map((text) => text.replaceAll(SECRET, ''));
    const secret = words.map((text) => SECRET + text);
    const contact = fc.record({
      contact_type: fc.constantFrom('basic', 'representative'),
      name: words,
      mobile: fc.option(words),
      email: words,
      address: secret,
    });
    const sections = fc.dictionary(
      fc.constantFrom(...SECTIONS.map(({ key }) => key).filter((key) => key !== 'contact')),
      fc.array(
        fc.dictionary(fc.constantFrom('name', 'description', 'year', 'location', 'details', 'Height', 'level'), words),
      ),
    );
    const hidden = fc.record({
      document: fc.array(fc.record({ name: secret })),
      feedback: fc.array(fc.record({ feedback: secret })),
    });
    const choices = fc.record({
      audience: fc.constantFrom(...AUDIENCES),
      leftOut: fc.subarray([...PARTS, ...HEAD_PARTS]),
      order: fc.shuffledSubarray([...PARTS], { minLength: PARTS.length }),
      dayRate: fc.boolean(),
      ownContact: fc.boolean(),
    });
    fc.assert(
      fc.property(
        sections,
        fc.array(contact),
        hidden,
        choices,
        fc.boolean(),
        privacies,
        (rows, contacts, kept, chosen, isMinor, privacy) => {
          const own = contacts.map((row) =>
            row.contact_type === 'basic' ? { ...row, name: SECRET + row.name, mobile: SECRET, email: SECRET } : row,
          );
          const from: CvSource = {
            ...source,
            profile: { ...profile, dob: SECRET, ...(isMinor && { location: SECRET }) },
            rows: { ...rows, ...kept, contact: own },
          };
          const text = printed({ isMinor, privacy }, choose(chosen), from);
          const showsOwn =
            !isMinor && (chosen.audience === 'connections' || (chosen.audience === 'casting' && chosen.ownContact));
          if (!showsOwn) expect(text).not.toContain(SECRET);
        },
      ),
      { numRuns: quantity(200, 5000) },
    );
  });
});
