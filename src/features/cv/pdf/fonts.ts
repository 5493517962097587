import { create, type Font } from 'fontkit';

export const WEIGHTS = ['regular', 'bold'] as const;
export type Weight = (typeof WEIGHTS)[number];

/**
 * The scripts of the embedded font, one file each, in the order in which they are tried. Neighboring letters of one word can come from
 * several files.
 */
export const SUBSETS = ['latin', 'latin-ext', 'vietnamese', 'devanagari', 'greek', 'cyrillic'] as const;
export type Subset = (typeof SUBSETS)[number];

/** 'devanagari bold' */
export type Face = `${Subset} ${Weight}`;

/** Bytes of TrueType fonts. */
export type FontFiles = ReadonlyMap<Face, ArrayBuffer>;

export interface Fonts {
  /** Parses a font when it is first needed. */
  get(face: Face): Font;
  /** The font that has this character; null if none has. */
  find(codePoint: number, weight: Weight): Face | null;
  has(face: Face, codePoint: number): boolean;
}

/** Subsets whose letters are drawn in another order than they are typed and read. */
export const isReordered = (face: Face): boolean => face.startsWith('devanagari');

/** Keeps fonts parsed from one CV to the next. */
export function createFonts(files: FontFiles): Fonts {
  const parsed = new Map<Face, Font>();
  const get = (face: Face): Font => {
    const known = parsed.get(face);
    if (known) return known;
    const bytes = files.get(face);
    if (bytes === undefined) throw new Error(`The font ${face} has not come`);
    const font = create(new Uint8Array(bytes));
    parsed.set(face, font);
    return font;
  };
  const has = (face: Face, codePoint: number) => get(face).hasGlyphForCodePoint(codePoint);
  return {
    get,
    has,
    find: (codePoint, weight) => {
      for (const subset of SUBSETS) {
        const face: Face = `${subset} ${weight}`;
        if (has(face, codePoint)) return face;
      }
      return null;
    },
  };
}
