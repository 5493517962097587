/** Reads the objects of an uncompressed PDF, as PDFKit writes it. Source: ISO 32000-1, section 7. */

export interface Reference {
  ref: number;
}
export type PdfDictionary = ReadonlyMap<string, PdfValue>;
/** Names begin with a slash; texts do not. */
export type PdfValue = null | boolean | number | string | Reference | PdfDictionary | readonly PdfValue[];

export interface PdfObject {
  value: PdfValue;
  /** Bytes of a stream, one character each. */
  stream: string | null;
}

const SPACE = new Set([' ', '\n', '\r', '\t', '\f', '\0']);
const DELIMITER = new Set(['/', '<', '>', '[', ']', '(', ')', '{', '}', '%']);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Texts are UTF-16 with a mark, or one byte a character. */
function decodeText(bytes: string): string {
  if (!bytes.startsWith('\u00fe\u00ff')) return bytes;
  let text = '';
  for (let at = 2; at + 1 < bytes.length; at += 2) {
    text += String.fromCharCode(bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1));
  }
  return text;
}

/** Reads values one after the other. */
export class PdfScanner {
  private readonly source: string;
  at: number;

  constructor(source: string, at = 0) {
    this.source = source;
    this.at = at;
  }

  get isAtEnd(): boolean {
    this.skipSpace();
    return this.at >= this.source.length;
  }

  skipSpace(): void {
    while (SPACE.has(this.source.charAt(this.at)) && this.at < this.source.length) this.at += 1;
  }

  /** The next word: a keyword, a number, an operator. */
  readWord(): string {
    this.skipSpace();
    const from = this.at;
    for (let next = this.peek(); next !== '' && !SPACE.has(next) && !DELIMITER.has(next); next = this.peek())
      this.at += 1;
    return this.source.slice(from, this.at);
  }

  /** @returns a value, or the word that stands there instead */
  readValue(): PdfValue | { word: string } {
    this.skipSpace();
    if (this.source.startsWith('<<', this.at)) return this.readDictionary();
    switch (this.peek()) {
      case '/':
        this.at += 1;
        return `/${this.readWord()}`;
      case '[':
        return this.readArray();
      case '(':
        return decodeText(this.readLiteral());
      case '<':
        return this.readHexadecimal();
    }
    return this.readNumberOrWord();
  }

  private peek(): string {
    return this.source.charAt(this.at);
  }

  private readNumberOrWord(): PdfValue | { word: string } {
    const reference = /^(\d+) 0 R\b/.exec(this.source.slice(this.at, this.at + 20));
    if (reference) {
      this.at += reference[0].length;
      return { ref: Number(reference[1]) };
    }
    const word = this.readWord();
    if (word === '') throw new Error(`Nothing can be read at ${this.at}`);
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    return /^[-+.\d]/.test(word) ? Number(word) : { word };
  }

  private readPlainValue(): PdfValue {
    const value = this.readValue();
    if (value !== null && typeof value === 'object' && 'word' in value) throw new Error(`Unexpected ${value.word}`);
    return value;
  }

  private readDictionary(): PdfDictionary {
    this.at += 2;
    const entries = new Map<string, PdfValue>();
    for (this.skipSpace(); !this.source.startsWith('>>', this.at); this.skipSpace()) {
      const key = this.readPlainValue();
      entries.set(String(key).slice(1), this.readPlainValue());
    }
    this.at += 2;
    return entries;
  }

  private readArray(): PdfValue[] {
    this.at += 1;
    const values: PdfValue[] = [];
    for (this.skipSpace(); this.peek() !== ']'; this.skipSpace()) values.push(this.readPlainValue());
    this.at += 1;
    return values;
  }

  private readLiteral(): string {
    let text = '';
    let depth = 0;
    for (;;) {
      const next = this.peek();
      this.at += 1;
      if (next === '\\') {
        const escaped = this.peek();
        this.at += 1;
        text += ESCAPES[escaped] ?? escaped;
        continue;
      }
      if (next === ')' && depth === 1) return text;
      if (next === '(') depth += 1;
      if (next === ')') depth -= 1;
      if (next !== '(' || depth > 1) text += next;
    }
  }

  /** Four digits are one glyph; they stay as they are. */
  private readHexadecimal(): string {
    const end = this.source.indexOf('>', this.at);
    const digits = this.source.slice(this.at + 1, end);
    this.at = end + 1;
    return digits;
  }
}

/** Reads the objects that the cross-reference table lists. */
export function readObjects(bytes: Uint8Array): { objects: ReadonlyMap<number, PdfObject>; trailer: PdfDictionary } {
  const source = Buffer.from(bytes).toString('latin1');
  const table = new PdfScanner(
    source,
    Number(
      source
        .slice(source.lastIndexOf('startxref') + 9)
        .trim()
        .split('\n')[0],
    ),
  );
  if (table.readWord() !== 'xref') throw new Error('The cross-reference table is not where the PDF says');
  const [, count] = [table.readWord(), Number(table.readWord())];
  const objects = new Map<number, PdfObject>();
  for (let number = 0; number < count; number += 1) {
    const [offset, , kind] = [Number(table.readWord()), table.readWord(), table.readWord()];
    if (kind === 'n') objects.set(number, readObject(source, offset));
  }
  if (table.readWord() !== 'trailer') throw new Error('The PDF has no trailer');
  return { objects, trailer: toDictionary(table.readValue()) };
}

function readObject(source: string, offset: number): PdfObject {
  const scanner = new PdfScanner(source, offset);
  const [, , keyword] = [scanner.readWord(), scanner.readWord(), scanner.readWord()];
  if (keyword !== 'obj') throw new Error(`There is no object at ${offset}`);
  const value = scanner.readValue();
  if (value !== null && typeof value === 'object' && 'word' in value) throw new Error(`Unexpected ${value.word}`);
  scanner.skipSpace();
  if (!source.startsWith('stream', scanner.at)) return { value, stream: null };
  const from = source.indexOf('\n', scanner.at) + 1;
  return { value, stream: source.slice(from, from + Number(toDictionary(value).get('Length'))) };
}

export function toDictionary(value: unknown): PdfDictionary {
  if (!(value instanceof Map)) throw new Error(`This is no dictionary: ${JSON.stringify(value)}`);
  return value;
}
