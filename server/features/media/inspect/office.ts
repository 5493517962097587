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
 * Parts a document is made of: text and its settings, pictures, fonts, printer settings, and the tables behind charts. Macros,
 * controls, shortcuts, programs and other documents have endings or folders that are not among them.
 */
const KNOWN_PART =
  /\.(xml|rels|vml|png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|wdp|jxr|webp|jfif|emz|wmz|odttf|ttf|otf|fntdata)$|^word\/printersettings\/[^/]+\.bin$|^word\/embeddings\/[^/]+\.xlsx$/i;
const CONTROL_PART = /(^|\/)(activex|ctrlprops)\/|(^|\/)vba[^/]*\.xml$/i;

/** Last words of the types of relationships (ECMA-376 and Microsoft's own) between parts that only show something. */
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
    // strictFileNames: names with a backslash, absolute ones and those with '..' are errors.
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

/** Unpacks a part, which shows whether it is as long as it says; content is kept only of parts that say how others belong together. */
async function readPart(zip: ZipFile, entry: Entry): Promise<string | null> {
  const stream = await openEntry(zip, entry);
  if (entry.fileName === TYPES_PART || entry.fileName.toLowerCase().endsWith('.rels')) {
    if (entry.uncompressedSize > MAX_XML_BYTES) throw new FileRefused(DAMAGED);
    return textOfXml(await buffer(stream));
  }
  for await (const _ of stream) continue;
  return null;
}

/** Refuses relationships that are not known to only show something, and all that reach outside but links a person follows. */
function refuseRelationships(xml: string): void {
  for (const { name, attributes } of elementsIn(xml)) {
    if (name !== 'Relationship') continue;
    const type = attributes.get('Type')?.split('/').at(-1) ?? '';
    if (!KNOWN_RELATIONSHIPS.has(type)) throw new FileRefused(ACTS);
    const isInside = (attributes.get('TargetMode') ?? 'Internal') === 'Internal';
    if (!isInside && type !== 'hyperlink') throw new FileRefused(FETCHES);
  }
}

/** Whether the list of parts names a document without macros as its main part. */
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
    // A folder has no content of its own.
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

/** A .docx: a ZIP of bounded size whose parts are those of a document and nothing that runs. @throws FileRefused */
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

/** A .doc of Word 97 to 2003: a compound file that has a document in it and no macros. @throws FileRefused */
export async function inspectDoc(file: string): Promise<void> {
  const bytes = await readFile(file);
  // The names of its streams stand in the directory, wherever that lies.
  if (bytes.length < 1536 || !bytes.includes(utf16('WordDocument'))) throw new FileRefused(DAMAGED);
  const acts = ['_VBA_PROJECT', 'Macros', 'ObjectPool'];
  if (acts.some((name) => bytes.includes(utf16(name)))) throw new FileRefused(ACTS);
}
