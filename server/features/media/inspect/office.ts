import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { FileRefused, isOurs } from './refused.ts';

const DAMAGED = 'This file is damaged or not a Word document';
const ACTS = 'This document contains macros or other files. Save it as a PDF and add that';
const MOST_PARTS = 2000;
const MOST_UNPACKED_BYTES = 100 * 1024 * 1024;
const MOST_XML_BYTES = 4 * 1024 * 1024;
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** Parts that run or carry something: macros, controls, objects of other programs. */
const ACTIVE_PART =
  /(^|\/)vbaproject\.bin$|(^|\/)vbadata\.xml$|\/activex\/|\/embeddings\/.*\.(bin|exe|dll|js|vbs|docm)$/i;

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

/** Unpacks a part to see that it is as long as it says. The names that matter are kept. */
async function readPart(zip: ZipFile, entry: Entry): Promise<string | null> {
  const stream = await openEntry(zip, entry);
  const isRead = entry.fileName === '[Content_Types].xml' || entry.fileName.endsWith('.rels');
  if (isRead) {
    if (entry.uncompressedSize > MOST_XML_BYTES) throw new FileRefused(DAMAGED);
    return text(stream);
  }
  for await (const _ of stream) continue;
  return null;
}

/** A template fetched from elsewhere when the document is opened brings its macros along. */
const fetchesTemplate = (tag: string) => /attachedTemplate/i.test(tag) && /External/i.test(tag);

async function inspectParts(zip: ZipFile): Promise<void> {
  let unpackedBytes = 0;
  let hasWords = false;
  let isWord = false;
  for (let count = 0; ; count += 1) {
    const entry = await nextEntry(zip);
    if (entry === null) break;
    unpackedBytes += entry.uncompressedSize;
    if (count >= MOST_PARTS || unpackedBytes > MOST_UNPACKED_BYTES) {
      throw new FileRefused('This document is too large when unpacked. Save it as a PDF and add that');
    }
    if (ACTIVE_PART.test(entry.fileName)) throw new FileRefused(ACTS);
    if (entry.fileName === 'word/document.xml') hasWords = true;
    const xml = await readPart(zip, entry);
    if (entry.fileName === '[Content_Types].xml') isWord = xml?.includes(MAIN_TYPE) ?? false;
    if (xml !== null && xml.split('>').some(fetchesTemplate)) throw new FileRefused(ACTS);
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
    throw new FileRefused(DAMAGED);
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
