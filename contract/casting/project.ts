import { HOLIDAYS } from '../rules/holidays.ts';
import { RULE_PACKS } from '../rules/index.ts';
import { choice, date, defineForm, longText, optional, text } from '../section.ts';
import { checkExtraHolidays, MAX_EXTRA_HOLIDAYS } from './extra-holidays.ts';
import { isTimeZone } from './time-zone.ts';

export const PROJECT_TYPES = {
  film: 'Film',
  tv: 'TV',
  theatre: 'Theatre',
  commercial: 'Commercial',
  video: 'Video',
  audio: 'Audio',
  other: 'Other',
} as const;
export type ProjectType = keyof typeof PROJECT_TYPES;

const toChoices = <const V extends string>(labels: Readonly<Record<V, string>>) =>
  (Object.keys(labels) as V[]).map((value) => ({ value, label: labels[value] }));

const REGIONS = Object.keys(HOLIDAYS) as (keyof typeof HOLIDAYS)[];

/** One production that casts. Days and deadlines of its requests begin and end in its time zone. */
export const PROJECT_FORM = defineForm({
  fields: {
    title: text('Title', 120, { missing: 'Add the title, or a working title' }),
    type: choice('What it is', toChoices(PROJECT_TYPES), { missing: 'Choose what it is' }),
    company: optional(text('Company', 120, { missing: 'Add the company' })),
    synopsis: optional(
      longText('What it is about', 2000, { missing: 'Say what it is about', hint: 'Performers read this' }),
    ),
    shoot_from: optional(date('Shoots from', { missing: 'Enter a date' })),
    shoot_to: optional(date('Shoots until', { missing: 'Enter a date' })),
    time_zone: text('Time zone of deadlines', 64, { missing: 'Enter a time zone, such as Asia/Kolkata' }),
    region: optional(
      choice(
        'Whose public holidays count',
        REGIONS.map((value) => ({ value, label: HOLIDAYS[value].name })),
        { missing: 'Choose a country' },
      ),
    ),
    extra_holidays: optional(
      longText('Other days that do not count', 600, {
        missing: 'Add the days',
        placeholder: '2027-01-14, 2027-01-15',
        hint: `Days off beside weekends and public holidays, up to ${MAX_EXTRA_HOLIDAYS}`,
      }),
    ),
    rule_pack: choice(
      'Rules for requests',
      RULE_PACKS.map(({ id, name }) => ({ value: id, label: name })),
      { missing: 'Choose the rules that you follow' },
    ),
  },
  rules: [
    {
      field: 'time_zone',
      dependsOn: ['time_zone'],
      check: ({ time_zone }) => (isTimeZone(time_zone) ? null : 'Enter a time zone, such as Asia/Kolkata'),
    },
    {
      field: 'extra_holidays',
      dependsOn: ['extra_holidays'],
      check: ({ extra_holidays }) => checkExtraHolidays(extra_holidays),
    },
    {
      field: 'shoot_to',
      dependsOn: ['shoot_from', 'shoot_to'],
      check: ({ shoot_from, shoot_to }) =>
        shoot_from !== null && shoot_to !== null && shoot_to < shoot_from ? 'The end comes before the start' : null,
    },
  ],
  example: {
    title: 'The Salt Road',
    type: 'film',
    company: 'Tideline Pictures',
    synopsis: 'Two sisters walk their mother’s old trade route home.',
    shoot_from: '2027-01-11',
    shoot_to: '2027-02-06',
    time_zone: 'Asia/Kolkata',
    region: 'IN',
    extra_holidays: '2027-01-14, 2027-01-15',
    rule_pack: 'plain-courtesy',
  },
});
