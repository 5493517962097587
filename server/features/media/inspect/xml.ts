import sax from 'sax';

interface Element {
  /** Without its prefix. */
  name: string;
  /** By name; those with a prefix are left out, as readers of the format do. */
  attributes: ReadonlyMap<string, string>;
}

/** What the first bytes of XML may be, with the encoding they stand for (XML 1.0, appendix F). */
const MARKS: [bytes: string, encoding: string][] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
  ['3c00', 'utf-16le'],
  ['003c', 'utf-16be'],
];
const DECLARED = /^<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/;
const READABLE = /^(utf-8|us-ascii|ascii|utf-16(le|be)?)$/i;

/**
 * The text of XML, by the encoding its first bytes show.
 * @throws TypeError where it is not text in that encoding, or in one that is not read here
 */
export function textOfXml(bytes: Buffer): string {
  const start = bytes.toString('hex', 0, 2);
  const encoding = MARKS.find(([mark]) => mark === start)?.[1] ?? 'utf-8';
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  const declared = DECLARED.exec(text)?.[1] ?? 'utf-8';
  if (!READABLE.test(declared)) throw new TypeError(`XML in ${declared}`);
  return text;
}

/**
 * Every element of an XML text, in the order they begin.
 * @throws Error where it is not well-formed, or defines entities of its own
 */
export function elementsIn(xml: string): Element[] {
  const elements: Element[] = [];
  const parser = sax.parser(true, { xmlns: true });
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw new Error('XML with a document type');
  };
  parser.onopentag = (tag) => {
    const { local, attributes } = tag as sax.QualifiedTag;
    const plain = Object.values(attributes).filter(({ prefix }) => prefix === '');
    elements.push({ name: local, attributes: new Map(plain.map(({ local: name, value }) => [name, value])) });
  };
  parser.write(xml).close();
  return elements;
}
