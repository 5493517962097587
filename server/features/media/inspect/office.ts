import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { FileRefused, isOurs } from './refused.ts';
import { elementsIn, textOfXml } from './xml.ts';

const DAMAGED = 'This file is damaged or not a Word document';
const ACTS = 'This document contains macros or other files. Save it as a PDF and add that';
const FETCHES = 'This document loads parts from the internet. Save it as a PDF and add that';
const MAX_PARTS = 2000;
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;
const MAX_XML_BYTES = 4 * 1024 * 1024;
const TYPES_PART = '[Content_Types].xml';
const MAIN_PART = 'word/document.xml';
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/**
 * Allowed parts of a document: text and settings, pictures, fonts, printer settings and chart data. Macros, controls,
 * shortcuts, programs and embedded documents have other extensions or folders.
 */
const KNOWN_PART =
  /\.(xml|rels|vml|png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|wdp|jxr|webp|jfif|emz|wmz|odttf|ttf|otf|fntdata)$|^word\/printersettings\/[^/]+\.bin$|^word\/embeddings\/[^/]+\.xlsx$/i;
const CONTROL_PART = /(^|\/)(activex|ctrlprops)\/|(^|\/)vba[^/]*\.xml$/i;

/** Last path segments of the relationship types (ECMA-376 and Microsoft's) between parts without active content. */
const KNOWN_RELATIONSHIPS = new Set([
  'officeDocument',
  'core-properties',
  'extended-properties',
  'custom-properties',
  'thumbnail',
  'styles',
  'stylesWithEffects',
  'settings',
  'webSettings',
  'fontTable',
  'font',
  'theme',
  'themeOverride',
  'numbering',
  'footnotes',
  'endnotes',
  'header',
  'footer',
  'comments',
  'commentsExtended',
  'commentsIds',
  'commentsExtensible',
  'people',
  'documenttasks',
  'glossaryDocument',
  'customXml',
  'customXmlProps',
  'bibliography',
  'image',
  'hdphoto',
  'hyperlink',
  'printerSettings',
  'chart',
  'chartEx',
  'chartStyle',
  'chartColorStyle',
  'chartUserShapes',
  'package',
  'diagramData',
  'diagramLayout',
  'diagramQuickStyle',
  'diagramColors',
  'diagramDrawing',
  'drawing',
  'vmlDrawing',
  'keyMapCustomizations',
  'classificationlabels',
]);

const openZip = (file: string) =>
  new Promise<ZipFile>((resolve, reject) => {
    // strictFileNames refuses names with a backslash, absolute names and names with '..'.
    yauzl.open(file, { lazyEntries: true, autoClose: false, strictFileNames: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    );
  });

const nextEntry = (zip: ZipFile) =>
  new Promise<Entry | null>((resolve, reject) => {
    const settle = (value: Entry | null) => {
      zip.removeAllListeners();
      resolve(value);
    };
    zip.once('entry', (entry: Entry) => settle(entry));
    zip.once('end', () => settle(null));
    zip.once('error', reject);
    zip.readEntry();
  });

const openEntry = (zip: ZipFile, entry: Entry) =>
  new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });

/** Unpacks a part to verify its declared length; keeps the content only of parts that describe the structure. */
async function readPart(zip: ZipFile, entry: Entry): Promise<string | null> {
  const stream = await openEntry(zip, entry);
  if (entry.fileName === TYPES_PART || entry.fileName.toLowerCase().endsWith('.rels')) {
    if (entry.uncompressedSize > MAX_XML_BYTES) throw new FileRefused(DAMAGED);
    return textOfXml(await buffer(stream));
  }
  for await (const _ of stream) continue;
  return null;
}

/** Refuses relationships of unknown types, and external ones except hyperlinks. */
function refuseRelationships(xml: string): void {
  for (const { name, attributes } of elementsIn(xml)) {
    if (name !== 'Relationship') continue;
    const type = attributes.get('Type')?.split('/').at(-1) ?? '';
    if (!KNOWN_RELATIONSHIPS.has(type)) throw new FileRefused(ACTS);
    const isInside = (attributes.get('TargetMode') ?? 'Internal') === 'Internal';
    if (!isInside && type !== 'hyperlink') throw new FileRefused(FETCHES);
  }
}

/** Whether the content types declare a macro-free document as the main part. */
function namesMainPart(xml: string): boolean {
  let isNamed = false;
  for (const { name, attributes } of elementsIn(xml)) {
    if (name === 'Override' && attributes.get('PartName')?.toLowerCase() === `/${MAIN_PART}`) {
      isNamed = attributes.get('ContentType') === MAIN_TYPE;
    }
    if (/macro|vba|activex|oleobject/i.test(attributes.get('ContentType') ?? '')) throw new FileRefused(ACTS);
  }
  return isNamed;
}

async function inspectParts(zip: ZipFile): Promise<void> {
  let unpackedBytes = 0;
  let hasWords = false;
  let isWord = false;
  for (let count = 0; ; count += 1) {
    const entry = await nextEntry(zip);
    if (entry === null) break;
    unpackedBytes += entry.uncompressedSize;
    if (count >= MAX_PARTS || unpackedBytes > MAX_UNPACKED_BYTES) {
      throw new FileRefused('This document is too large when unpacked. Save it as a PDF and add that');
    }
    const { fileName } = entry;
    // A folder has no content.
    if (fileName.endsWith('/') && entry.uncompressedSize === 0) continue;
    if (!KNOWN_PART.test(fileName) || CONTROL_PART.test(fileName)) throw new FileRefused(ACTS);
    if (fileName === MAIN_PART) hasWords = true;
    const xml = await readPart(zip, entry);
    if (xml === null) continue;
    if (fileName === TYPES_PART) isWord = namesMainPart(xml);
    else refuseRelationships(xml);
  }
  if (!hasWords || !isWord) throw new FileRefused(DAMAGED);
}

/** Inspects a .docx: a ZIP of bounded size with only document parts and no active content. @throws FileRefused */
export async function inspectDocx(file: string): Promise<void> {
  let zip: ZipFile | undefined;
  try {
    zip = await openZip(file);
    await inspectParts(zip);
  } catch (error) {
    if (error instanceof FileRefused || isOurs(error)) throw error;
    throw new FileRefused(DAMAGED, { cause: error });
  } finally {
    zip?.close();
  }
}

const utf16 = (name: string) => Buffer.from(name, 'utf16le');

/** Inspects a .doc of Word 97 to 2003: a compound file with a document and no macros. @throws FileRefused */
export async function inspectDoc(file: string): Promise<void> {
  const bytes = await readFile(file);
  // The directory, wherever it is located, contains the stream names.
  if (bytes.length < 1536 || !bytes.includes(utf16('WordDocument'))) throw new FileRefused(DAMAGED);
  const acts = ['_VBA_PROJECT', 'Macros', 'ObjectPool'];
  if (acts.some((name) => bytes.includes(utf16(name)))) throw new FileRefused(ACTS);
}
