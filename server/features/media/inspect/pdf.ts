import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { FileRefused } from './refused.ts';

/** Names of what makes a PDF act by itself, or carry what does (ISO 32000-2, 12.6.4 and 7.11.4). */
const ACTIVE = new Set([
  'JavaScript',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'RichMedia',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'XFA',
]);
/** What objects in a stream may be wrapped in besides deflate; nobody writes them so but to hide them. */
const WRAPPED = /\/(?:ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|RunLengthDecode|RL|Crypt|Predictor)\b/;
/** Unpacked, in bytes: of one stream and of all. */
const MOST_UNPACKED = { stream: 32 * 1024 * 1024, file: 128 * 1024 * 1024 };

/** Names in a piece of a PDF, with their #xx written out. */
function* namesIn(text: string): Generator<string> {
  for (const [, name = ''] of text.matchAll(/\/([A-Za-z#][^\s/<>[\](){}%]{1,60})/g)) {
    yield name.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}

function refuseActive(text: string): void {
  for (const name of namesIn(text)) {
    if (ACTIVE.has(name)) throw new FileRefused('This PDF has scripts or files inside. Print it into a new PDF');
  }
}

/** The streams that are packed, unpacked. What cannot be is a picture or damaged, and neither acts. */
function* unpacked(bytes: Buffer, text: string): Generator<string> {
  let left = MOST_UNPACKED.file;
  for (const found of text.matchAll(/stream\r?\n/g)) {
    const start = found.index + found[0].length;
    if ((bytes[start] ?? 0) !== 0x78) continue;
    const end = text.indexOf('endstream', start);
    const packed = bytes.subarray(start, end < 0 ? undefined : end);
    let whole: Buffer;
    try {
      whole = inflateSync(packed, { maxOutputLength: Math.min(left, MOST_UNPACKED.stream) });
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_BUFFER_TOO_LARGE') continue;
      throw new FileRefused('This PDF unpacks to far more than it seems');
    }
    left -= whole.length;
    yield whole.toString('latin1');
  }
}

/**
 * Looks through all of a PDF, its packed objects too.
 * @throws FileRefused when it is no PDF from end to end, is locked, or holds what acts by itself
 */
export async function inspectPdf(file: string): Promise<void> {
  const bytes = await readFile(file);
  const text = bytes.toString('latin1');
  const end = text.lastIndexOf('%%EOF');
  if (
    !text.startsWith('%PDF-') ||
    end < 0 ||
    text
      .slice(end + 5)
      .trim()
      .replaceAll('\0', '') !== ''
  ) {
    throw new FileRefused('This PDF is damaged or not a PDF');
  }
  const names = new Set(namesIn(text));
  if (names.has('Encrypt')) throw new FileRefused('This PDF is locked. Save it without a password');
  refuseActive(text);
  for (const [dictionary] of text.matchAll(/\/ObjStm[^]{0,2000}?stream\r?\n/g)) {
    if (WRAPPED.test(dictionary)) throw new FileRefused('This PDF hides what is in it. Print it into a new PDF');
  }
  for (const part of unpacked(bytes, text)) refuseActive(part);
}
