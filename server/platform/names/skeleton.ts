const toMap = (from: string, to: string): [string, string][] => {
  const targets = [...to];
  return [...from].map((letter, at) => [letter, targets[at] ?? '']);
};

/** Capital letters that look like Latin capitals, but whose small letters look like others: Η is h, η is n. */
const CAPITALS = new Map([
  ...toMap('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abezhikmnoptyx'),
  ...toMap('АВЕЅНІЈКМОРСТУХԌԚԜЗ', 'abeshijkmopctyxgqw3'),
]);
const SMALL = new Map([
  // Greek
  ...toMap('αβγεηικμνορςστυχωϲ', 'abyenikmvopsotuxwc'),
  // Cyrillic
  ...toMap('аԁеһіјкӏмпорԛгѕтуүхсѵԝвнь', 'adehijklmnopqrstyyxcvwbhb'),
  // Latin letters of other alphabets, and digits that stand in for letters
  ...toMap('ıłøđƒɡɑʏþ015', 'ilodfgaypols'),
]);

/**
 * What a name looks like at a glance: the same for names that people would take for each other. Two names of different skeletons may still
 * be similar: see `isLookalike`.
 */
export function computeSkeleton(name: string): string {
  const latin = [...name.normalize('NFKC')]
    .map((letter) => CAPITALS.get(letter) ?? letter)
    .join('')
    .toLowerCase()
    .normalize('NFD')
    // Accents on letters. The marks of Indic scripts are vowels, and stay.
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');
  return (
    [...latin]
      .map((letter) => SMALL.get(letter) ?? letter)
      .join('')
      // A capital I looks like a small L.
      .replaceAll('i', 'l')
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
  );
}

/** Names of this length may differ by one letter and still be taken for each other. */
const LONG_ENOUGH = 8;

/** Whether one letter must be changed, added or left out at most. */
function isWithinOneEdit(one: string, other: string): boolean {
  const [short, long] = [[...one], [...other]].sort((a, b) => a.length - b.length) as [string[], string[]];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const skip = short.length === long.length ? 1 : 0;
  return short.slice(same + skip).join('') === long.slice(same + 1).join('');
}

/** Whether the first skeleton would be taken for the second. */
export const isLookalike = (skeleton: string, known: string): boolean =>
  skeleton === known || ([...known].length >= LONG_ENOUGH && isWithinOneEdit(skeleton, known));
