import sax from 'sax';

interface Element {
  /** Without its namespace prefix. */
  name: string;
  /** By name. Prefixed attributes are omitted, as consumers of the format ignore them. */
  attributes: ReadonlyMap<string, string>;
}

/** First bytes of XML and the encoding that they indicate (XML 1.0, appendix F). */
const MARKS: [bytes: string, encoding: string][] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
  ['3c00', 'utf-16le'],
  ['003c', 'utf-16be'],
];
const DECLARED = /^<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/;
const READABLE = /^(utf-8|us-ascii|ascii|utf-16(le|be)?)$/i;

/**
 * Decodes XML in the encoding that its first bytes indicate.
 * @throws TypeError if it is not valid in that encoding, or the encoding is not supported
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
 * Lists every element of an XML text, in document order.
 * @throws Error if it is not well-formed or defines entities
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
