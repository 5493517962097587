import { type AnyRow, defineSection, number, optional, suggestedText } from '../section.ts';

const BUILDS = ['Slim', 'Lean', 'Athletic', 'Average', 'Muscular', 'Curvy', 'Heavy'];
const HAIR = ['Black', 'Dark brown', 'Brown', 'Light brown', 'Blond', 'Red', 'Grey', 'White', 'Coloured', 'Bald'];
const EYES = ['Black', 'Dark brown', 'Brown', 'Hazel', 'Amber', 'Green', 'Blue', 'Grey'];
const SKIN = ['Very fair', 'Fair', 'Wheatish', 'Medium', 'Olive', 'Brown', 'Dusky', 'Dark'];

const KEYS = ['Height', 'Weight', 'Build', 'Hair', 'Eyes', 'Skin'] as const;

export const attribute = defineSection({
  key: 'attribute',
  title: 'Physical attributes',
  noun: 'attributes',
  emptyText: 'Height, build, hair and eyes: what casting filters by',
  cardinality: 'set',
  fields: {
    Height: optional(number('Height', { unit: 'cm', max: 300, decimals: 1 }, { missing: 'Add your height' })),
    Weight: optional(number('Weight', { unit: 'kg', max: 500, decimals: 1 }, { missing: 'Add your weight' })),
    Build: optional(suggestedText('Build', BUILDS, { missing: 'Add your build' })),
    Hair: optional(suggestedText('Hair', HAIR, { missing: 'Add your hair colour' })),
    Eyes: optional(suggestedText('Eyes', EYES, { missing: 'Add your eye colour' })),
    Skin: optional(suggestedText('Skin', SKIN, { missing: 'Add your skin tone' })),
  },
  set: {
    keyOf: (row) => String(row.attribute_key),
    valuesOf: (rows) => {
      const values = Object.fromEntries(rows.map((row: AnyRow) => [String(row.attribute_key), row.attribute_value]));
      return Object.fromEntries(KEYS.map((key) => [key, values[key] ?? null])) as never;
    },
    rowsOf: (values) =>
      KEYS.flatMap((key) => (values[key] === null ? [] : [{ attribute_key: key, attribute_value: values[key] }])),
  },
  card: (row) => ({
    title: [
      row.Height && `${row.Height} cm`,
      row.Weight && `${row.Weight} kg`,
      row.Build,
      row.Hair && `${row.Hair} hair`,
      row.Eyes && `${row.Eyes} eyes`,
      row.Skin && `${row.Skin} skin`,
    ]
      .filter(Boolean)
      .join(', '),
  }),
  savedText: 'Attributes added successfully!',
  endpoints: {
    list: { method: 'GET', path: '/profiles/:profileId/attributes' },
    create: null,
    update: { method: 'POST', path: '/attributes' },
    remove: null,
  },
  example: { Height: '172.5', Weight: '64', Build: 'Lean', Hair: 'Black', Eyes: 'Brown', Skin: 'Wheatish' },
});
