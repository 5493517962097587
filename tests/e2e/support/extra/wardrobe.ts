import { type AnyRow, defineSection, flag, number, optional } from '#contract/section.ts';

const PIECES = ['sherwani', 'suit', 'uniform'] as const;
const has = (label: string) => flag(label, { missing: 'Say yes or no' });

/** A set section that the product does not have: read row by row, written as a whole. */
export const wardrobe = defineSection({
  key: 'wardrobe',
  title: 'Own wardrobe',
  noun: 'wardrobe',
  emptyText: 'What you can bring to a shoot',
  cardinality: 'set',
  fields: {
    shoe: optional(number('Shoe size', { unit: 'EU', max: 60, decimals: 1 }, { missing: 'Add your size' })),
    sherwani: has('Sherwani'),
    suit: has('Suit'),
    uniform: has('Uniform'),
  },
  rules: [
    {
      field: 'shoe',
      dependsOn: ['uniform', 'shoe'],
      check: (row) => (row.uniform && row.shoe === null ? 'A uniform comes with shoes' : null),
    },
  ],
  set: {
    keyOf: (row) => String(row.piece),
    valuesOf: (rows) => {
      const sizeOf = (piece: string) => rows.find((row: AnyRow) => row.piece === piece)?.size;
      const shoe = sizeOf('shoe');
      return {
        shoe: typeof shoe === 'string' ? shoe : null,
        sherwani: sizeOf('sherwani') === 'own',
        suit: sizeOf('suit') === 'own',
        uniform: sizeOf('uniform') === 'own',
      };
    },
    rowsOf: (values) => [
      ...(values.shoe === null ? [] : [{ piece: 'shoe', size: values.shoe }]),
      ...PIECES.flatMap((piece) => (values[piece] ? [{ piece, size: 'own' }] : [])),
    ],
  },
  card: (row) => ({ title: [row.shoe, ...PIECES.filter((piece) => row[piece])].filter(Boolean).join(', ') }),
  savedText: 'Wardrobe saved successfully!',
  endpoints: {
    list: { method: 'GET', path: '/wardrobe/:profileId' },
    create: null,
    update: { method: 'POST', path: '/wardrobe' },
    remove: { method: 'DELETE', path: '/wardrobe/:id' },
  },
  example: { shoe: '42.5', sherwani: true, suit: false, uniform: true },
});
