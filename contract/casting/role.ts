import { defineForm, longText, number, optional, text } from '../section.ts';

const age = (label: string) =>
  optional(number(label, { unit: 'years', max: 100, decimals: 0 }, { missing: 'Enter an age' }));

/** What performers must know before they say yes. `none` is an answer too; an empty notice was not answered yet. */
const notice = (label: string, placeholder: string) =>
  optional(longText(label, 1000, { missing: 'Describe it, or write “none”', placeholder }));

/** One part of a project, with what a performer must know before saying yes. */
export const ROLE_FORM = defineForm({
  fields: {
    name: text('Name of the role', 120, { missing: 'Name the role' }),
    description: optional(longText('Who they are', 4000, { missing: 'Describe the role' })),
    age_min: age('Plays from'),
    age_max: age('Plays to'),
    skills: optional(text('Skills', 300, { missing: 'Add the skills', placeholder: 'Riding, Marathi, stage combat' })),
    location: optional(text('Where', 150, { missing: 'Add the place' })),
    pay: optional(text('Pay', 200, { missing: 'Add the pay', placeholder: '₹22,000 a day' })),
    nudity: notice('Nudity', 'None'),
    intimacy: notice('Intimacy', 'A kiss, clothed. An intimacy coordinator is booked.'),
    stunts: notice('Stunts', 'None'),
    minors: optional(
      longText('If the role is for minors', 1000, {
        missing: 'Say who looks after them',
        placeholder: 'Chaperone, hours, school',
        hint: 'Then performers get 72 hours to tape',
      }),
    ),
    other_notice: optional(
      longText('Anything else to know before', 1000, { missing: 'Say it', placeholder: 'Smoke, heights, animals' }),
    ),
  },
  rules: [
    {
      field: 'age_max',
      dependsOn: ['age_min', 'age_max'],
      check: ({ age_min, age_max }) =>
        age_min !== null && age_max !== null && Number(age_max) < Number(age_min)
          ? 'The higher age comes second'
          : null,
    },
  ],
  example: {
    name: 'Naseem',
    description: 'The elder sister. Stubborn, funny, afraid of the sea.',
    age_min: '28',
    age_max: '36',
    skills: 'Riding',
    location: 'Kutch',
    pay: '₹22,000 a day',
    nudity: 'None',
    intimacy: 'A kiss, clothed. An intimacy coordinator is booked.',
    stunts: 'None',
    minors: null,
    other_notice: null,
  },
});
