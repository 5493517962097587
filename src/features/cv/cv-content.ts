import {
  canViewDayRate,
  canViewRow,
  getVisitorSight,
  limitContacts,
  NOTHING_SHOWN,
  type ViewerRole,
} from '#contract/audience.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { AnyRow } from '#contract/section.ts';
import { SKILL_LEVELS } from '#contract/sections/skill.ts';
import { LINK_NAMES } from '#contract/sections/social_link.ts';
import { sectionOf } from '#contract/sections/index.ts';
import type { PersonSight } from '#db/person-sight.ts';
import { perDay, range } from '#lib/amounts.ts';
import type { Audience, CvChoices, HeadKey, PartKey } from './choices.ts';
import type { CvContent, CvFact, CvPart, CvRow } from './pdf/content.ts';

/** A profile as its owner's device has it, with everything that is private. */
export interface CvSource {
  profile: Profile;
  /** Rows by section key. The rows of a set are one row with its values. */
  rows: Readonly<Record<string, readonly AnyRow[]>>;
  /** Names of the languages that the person works in. */
  languages: readonly string[];
  /** The public page; null if others cannot open it. */
  pageUrl: string | null;
}

/** Until the server has said otherwise, a person is protected as somebody under 18. */
export const UNKNOWN_PERSON: PersonSight = { isMinor: true, privacy: NOTHING_SHOWN };

/**
 * Whose view of the profile a CV prints. A casting side gets what a connection sees: the owner sends the CV to them. What of that is
 * printed only by the owner's word is removed afterwards.
 */
const VIEWER_ROLES: Record<Audience, ViewerRole> = {
  public: 'stranger',
  connections: 'connection',
  casting: 'connection',
};

/** The part of a profile that an audience may read on a CV. */
interface AudienceView {
  profile: Pick<Profile, 'stage_name' | 'title' | 'location' | 'per_day' | 'min_age_range' | 'max_age_range'>;
  rowsOf: (section: string) => AnyRow[];
  contacts: AnyRow[];
}

const isOwnContact = (row: AnyRow) => row.contact_type !== 'representative';

/**
 * Filters a profile for an audience, by the rules behind "View as". A CV leaves the owner's hands, so some things are never on it, also
 * not for connections: the date of birth, addresses, which documents somebody has. The CV of a minor names no city, and no contact but a
 * representative's.
 */
function viewAs(source: CvSource, person: PersonSight, { audience, dayRate, ownContact }: CvChoices): AudienceView {
  const role = VIEWER_ROLES[audience];
  const sight = getVisitorSight(person);
  const rowsOf = (key: string) => {
    const section = sectionOf(key);
    return (source.rows[key] ?? []).filter((row) => section && canViewRow(role, section.visibleTo(row)));
  };
  const isByWord = audience === 'casting';
  const showsDayRate = canViewDayRate(role, sight) && (!isByWord || (dayRate && !person.isMinor));
  const showsOwnContact = !person.isMinor && (!isByWord || ownContact);
  const { stage_name, title, location, per_day, min_age_range, max_age_range } = source.profile;
  return {
    profile: {
      stage_name,
      title,
      location: person.isMinor ? null : location,
      per_day: showsDayRate ? per_day : null,
      min_age_range,
      max_age_range,
    },
    rowsOf,
    contacts: limitContacts(rowsOf('contact'), role, sight).filter((row) => showsOwnContact || !isOwnContact(row)),
  };
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : '';

/** Only addresses that a browser opens as a page. */
function webAddress(value: unknown): string | null {
  const address = text(value);
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null;
}

const joined = (values: readonly unknown[], separator = ', ') => values.map(text).filter(Boolean).join(separator);

const toMonths = (year: unknown, month: unknown) => Number(year ?? 0) * 12 + Number(month ?? 0);

/** Headings of the credits, in their order on the CV. */
const CREDIT_GROUPS = [
  { title: 'Film', types: ['Movie', 'Cinema'] },
  { title: 'Television', types: ['TV'] },
  { title: 'Theatre', types: ['Theatre'] },
  { title: 'Video', types: ['Video'] },
] as const;

function getCredits(rows: readonly AnyRow[]): CvPart | null {
  const toRow = (row: AnyRow): CvRow => ({
    when: text(row.end_year),
    title: text(row.experience_title),
    url: webAddress(row.link),
    middle: text(row.details),
    right: text(row.production_details),
    rank: toMonths(row.end_year, row.end_month),
  });
  const grouped = CREDIT_GROUPS.map(({ title, types }) => ({
    title,
    rows: rows.filter((row) => types.some((type) => type === row.experience_type)).map(toRow),
  }));
  const known = CREDIT_GROUPS.flatMap(({ types }): readonly string[] => types);
  const others = rows.filter((row) => !known.includes(text(row.experience_type))).map(toRow);
  const groups = [...grouped, { title: 'Other credits', rows: others }].filter((group) => group.rows.length > 0);
  return groups.length === 0 ? null : { kind: 'table', noun: 'credit', groups };
}

function getTable(title: string, noun: string, rows: readonly CvRow[]): CvPart | null {
  return rows.length === 0 ? null : { kind: 'table', noun, groups: [{ title, rows }] };
}

const getTraining = (rows: readonly AnyRow[]): CvPart | null =>
  getTable(
    'Training',
    'course',
    rows.map((row) => ({
      when: text(row.year),
      title: text(row.course_name),
      url: webAddress(row.link),
      middle: text(row.instructor_name),
      right: joined([row.description, row.location]),
      rank: toMonths(row.year, row.month),
    })),
  );

const getAwards = (rows: readonly AnyRow[]): CvPart | null =>
  getTable(
    'Awards',
    'award',
    rows.map((row) => ({
      when: text(row.year),
      title: text(row.award_name),
      url: webAddress(row.link),
      middle: text(row.description),
      right: text(row.location),
      rank: toMonths(row.year, row.month),
    })),
  );

function getList(title: string, noun: string, entries: readonly string[]): CvPart | null {
  const filled = entries.filter(Boolean);
  return filled.length === 0 ? null : { kind: 'list', title, noun, entries: filled };
}

function toSkill(row: AnyRow): string {
  const level = SKILL_LEVELS.find(({ value }) => value === row.level)?.label.toLowerCase();
  const name = text(row.name);
  return name && level ? `${name} (${level})` : name;
}

function getLinks(rows: readonly AnyRow[]): CvPart | null {
  const links = rows.flatMap((row) =>
    Object.entries(LINK_NAMES).flatMap(([key, label]) => {
      const url = webAddress(row[key]);
      return url === null ? [] : [{ label, url }];
    }),
  );
  return links.length === 0 ? null : { kind: 'links', title: 'Links', links };
}

const PART_BUILDERS: Record<PartKey, (view: AudienceView) => CvPart | null> = {
  credits: ({ rowsOf }) => getCredits(rowsOf('experience')),
  training: ({ rowsOf }) => getTraining(rowsOf('education')),
  skills: ({ rowsOf }) => getList('Skills', 'skill', rowsOf('skill').map(toSkill)),
  voice: ({ rowsOf }) =>
    getList(
      'Voice',
      'entry',
      [...rowsOf('voice_characteristic'), ...rowsOf('job_role')].map((row) => text(row.name)),
    ),
  awards: ({ rowsOf }) => getAwards(rowsOf('award')),
  links: ({ rowsOf }) => getLinks(rowsOf('social_link')),
};

const UNITS: Readonly<Record<string, string>> = { Height: ' cm', Weight: ' kg' };
const ATTRIBUTES = ['Height', 'Weight', 'Build', 'Hair', 'Eyes', 'Skin'] as const;

function getAttributes(rows: readonly AnyRow[]): CvFact[] {
  const [values = {}] = rows;
  return ATTRIBUTES.map((label) => {
    const value = text(values[label]);
    return { label, value: value && value + (UNITS[label] ?? '') };
  });
}

/** Addresses are never printed: a representative may be a parent, and a person’s own is their home. */
const getContacts = (rows: readonly AnyRow[]): CvFact[] =>
  rows.map((row) => ({
    label: isOwnContact(row) ? 'Contact' : 'Agent',
    value: joined([row.name, row.mobile, row.email]),
  }));

/** The parts of which the audience can see something, in the order of the CV, also those that are left out. */
export function getFilledParts(source: CvSource, person: PersonSight, choices: CvChoices): PartKey[] {
  const view = viewAs(source, person, choices);
  return choices.order.filter((key) => PART_BUILDERS[key](view) !== null);
}

/** Builds what a CV shows to an audience. The result holds nothing that the audience may not read. */
export function toCvContent(source: CvSource, person: PersonSight, choices: CvChoices): CvContent {
  const view = viewAs(source, person, choices);
  const { profile } = view;
  const isShown = (key: PartKey | HeadKey) => !choices.leftOut.includes(key);
  const facts: CvFact[] = [
    ...(isShown('age') ? [{ label: 'Plays', value: range(profile.min_age_range, profile.max_age_range) }] : []),
    ...(isShown('city') ? [{ label: 'Based in', value: text(profile.location) }] : []),
    ...(isShown('attributes') ? getAttributes(view.rowsOf('attribute')) : []),
    { label: 'Day rate', value: profile.per_day == null ? '' : perDay(profile.per_day) },
    ...(isShown('languages') ? [{ label: 'Languages', value: joined(source.languages) }] : []),
    ...(isShown('contacts') ? getContacts(view.contacts) : []),
  ];
  return {
    name: text(profile.stage_name),
    title: text(profile.title),
    facts: facts.filter(({ value }) => value !== ''),
    pageUrl: isShown('code') ? source.pageUrl : null,
    parts: choices.order.flatMap((key) => (isShown(key) ? (PART_BUILDERS[key](view) ?? []) : [])),
  };
}
