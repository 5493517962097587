/** Counts the pages of a PDF by its page tree (ISO 32000-2, 7.7.3). The same on the sender's device and on the server. */

/** A part of a text that holds the value of an object. */
interface Place {
  source: string;
  start: number;
  end: number;
}

/** Bytes of a file as text with one character for each, and what unpacks the Flate stream between two offsets; null if it cannot. */
export interface PdfText {
  text: string;
  unpack: (start: number, end: number) => Promise<string | null>;
}

/** No more pages than these are counted. */
const MAX_PAGES = 10_000;
/** Characters of a page or a page tree node that are read. A flat tree of ten thousand pages has fewer. */
const MAX_OBJECT = 200_000;
/** Characters of a stream's dictionary that are read. */
const MAX_DICTIONARY = 4000;
/** Objects in one compressed stream. Programs write some hundreds. */
const MAX_PACKED = 20_000;

const PAGE = /\/Type[\0\s]{0,20}\/Page(?![A-Za-z])/;
const REFERENCE = /(\d{1,10})[\0\s]{1,20}\d{1,5}[\0\s]{1,20}R\b/g;

const refersTo = (key: string) =>
  new RegExp(`/${key}[\\0\\s]{0,20}(\\d{1,10})[\\0\\s]{1,20}\\d{1,5}[\\0\\s]{1,20}R\\b`, 'g');
const ROOT = refersTo('Root');
const PAGES = refersTo('Pages');
const KIDS_ELSEWHERE = refersTo('Kids');

const lastNumber = (pattern: RegExp, text: string): number | undefined => {
  const found = [...text.matchAll(pattern)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
};

const numberOf = (key: string, dictionary: string): number =>
  Number(new RegExp(`/${key}[\\0\\s]{0,20}(\\d{1,9})(?!\\d)`).exec(dictionary)?.[1] ?? NaN);

const read = ({ source, start, end }: Place): string => source.slice(start, Math.min(end, start + MAX_OBJECT));

/** The objects of a compressed object stream, by their numbers. */
function* listPacked(dictionary: string, source: string): Generator<[number, Place]> {
  const [count, first] = [numberOf('N', dictionary), numberOf('First', dictionary)];
  if (!(count <= MAX_PACKED) || !(first <= source.length)) return;
  const heads = source
    .slice(0, first)
    .trim()
    .split(/[\0\s]+/)
    .map(Number);
  for (let index = 0; index < count; index += 1) {
    const [number, offset, next] = [heads[2 * index], heads[2 * index + 1], heads[2 * index + 3]];
    if (number === undefined || offset === undefined) return;
    yield [number, { source, start: first + offset, end: next === undefined ? source.length : first + next }];
  }
}

/** Every object by its number. Of one that was changed later, the last version in the file counts. */
async function listObjects({ text, unpack }: PdfText): Promise<Map<number, Place>> {
  const objects = new Map<number, Place>();
  const marks = /(\d{1,10})[\0\s]{1,20}\d{1,5}[\0\s]{1,20}obj\b|(?<!end)stream[\0\t\f ]{0,8}(?:\r\n|\r|\n)|\bendobj\b/g;
  let current: Place | null = null;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[1] !== undefined) {
      current = { source: text, start: marks.lastIndex, end: text.length };
      objects.set(Number(mark[1]), current);
      continue;
    }
    if (current !== null) current.end = Math.min(current.end, mark.index);
    if (mark[0] === 'endobj') continue;
    const start = marks.lastIndex;
    const found = text.indexOf('endstream', start);
    const end = found < 0 ? text.length : found;
    const dictionary =
      current === null ? '' : text.slice(Math.max(current.start, mark.index - MAX_DICTIONARY), mark.index);
    if (/\/ObjStm(?![A-Za-z])/.test(dictionary)) {
      const source = /\/Filter(?![A-Za-z])/.test(dictionary) ? await unpack(start, end) : text.slice(start, end);
      for (const [number, place] of listPacked(dictionary, source ?? '')) objects.set(number, place);
    }
    marks.lastIndex = end;
  }
  return objects;
}

/** The numbers of the children of a page tree node; null if it is none. */
function findKids(objects: ReadonlyMap<number, Place>, node: string): number[] | null {
  const elsewhere = objects.get(lastNumber(KIDS_ELSEWHERE, node) ?? -1);
  const list = elsewhere === undefined ? /\/Kids[\0\s]{0,20}\[([^\]]*)/.exec(node)?.[1] : read(elsewhere);
  return list === undefined ? null : [...list.matchAll(REFERENCE)].map(([, number]) => Number(number));
}

/** Counts the pages of the tree under an object. Whatever is listed twice counts once, so that no tree is endless. */
function countLeaves(objects: ReadonlyMap<number, Place>, root: number): number {
  const seen = new Set<number>();
  const open = [root];
  let pages = 0;
  for (let next = open.pop(); next !== undefined && pages < MAX_PAGES; next = open.pop()) {
    const place = seen.has(next) ? undefined : objects.get(next);
    seen.add(next);
    if (place === undefined) continue;
    const node = read(place);
    const kids = PAGE.test(node) ? null : findKids(objects, node);
    if (kids === null) pages += 1;
    else open.push(...kids.slice(0, MAX_PAGES));
  }
  return pages;
}

/** Whether a PDF needs a password or has limits on what may be done with it. */
export const isEncryptedPdf = (text: string): boolean => /\/Encrypt(?![A-Za-z])/.test(text);

/**
 * Counts the pages of a PDF.
 * @returns 0 if there are none or they cannot be found
 */
export async function countPdfPages(pdf: PdfText): Promise<number> {
  const objects = await listObjects(pdf);
  const catalog = objects.get(lastNumber(ROOT, pdf.text) ?? -1);
  const root = catalog && lastNumber(PAGES, read(catalog));
  const inTree = root === undefined ? 0 : countLeaves(objects, root);
  if (inTree > 0) return inTree;
  // The tree is damaged. Viewers repair it by looking for pages.
  let pages = 0;
  for (const place of objects.values()) if (PAGE.test(read(place))) pages += 1;
  return Math.min(pages, MAX_PAGES);
}
