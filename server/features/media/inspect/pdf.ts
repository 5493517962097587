import { readFile } from 'node:fs/promises';
import { constants, createInflateRaw, inflateRawSync } from 'node:zlib';
import { countPdfPages } from '#contract/casting/pdf-pages.ts';
import { FileRefused } from './refused.ts';

/** Names of actions and embedded files that make a PDF active (ISO 32000-2, 12.6.4 and 7.11.4). */
const ACTIVE = new Set([
  'JavaScript',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'RichMedia',
  'Rendition',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'XFA',
]);
const HIDES = 'This PDF hides some of its contents. Print it to a new PDF and add that';
/** Limits on unpacked bytes: per stream and in total. */
const MAX_UNPACKED = { stream: 32 * 1024 * 1024, file: 128 * 1024 * 1024 };
const TOO_LARGE = 'This PDF is too large when unpacked. Print it to a new PDF and add that';
/** More streams than a book has. The limit stops files full of tiny streams from keeping the server busy. */
const MAX_STREAMS = 20_000;
/** Maximum length of a stream's dictionary, in characters. */
const MAX_DICTIONARY = 4000;

/** Decodes #xx escapes in names. */
const decodeNames = (text: string) =>
  text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Lists the names in a part of a PDF, with #xx escapes decoded. */
function* namesIn(text: string): Generator<string> {
  for (const [, name = ''] of text.matchAll(/\/([A-Za-z#][^\s\0/<>[\](){}%]{1,60})/g)) yield decodeNames(name);
}

function refuseActive(text: string): void {
  for (const name of namesIn(text)) {
    if (ACTIVE.has(name)) {
      throw new FileRefused('This PDF contains scripts or other files. Print it to a new PDF and add that');
    }
  }
}

/** Offsets of the keyword `stream` and of its content. Viewers tolerate spaces and a lone CR after the keyword. */
function streamsIn(text: string): { dictionaryEnd: number; start: number }[] {
  const streams: { dictionaryEnd: number; start: number }[] = [];
  for (const { index, 0: found } of text.matchAll(/(?<!end)stream[\0\t\f ]{0,8}(?:\r\n|\r|\n)/g)) {
    streams.push({ dictionaryEnd: index, start: index + found.length });
    if (streams.length > MAX_STREAMS) {
      throw new FileRefused('This PDF has too many parts. Print it to a new PDF and add that');
    }
  }
  return streams;
}

/**
 * Returns the dictionary that ends here, from its `<<`. If a string in it could contain a misleading `<<`, or none is found, returns
 * everything since the previous stream.
 */
function dictionaryBefore(text: string, end: number): string {
  const window = text.slice(Math.max(0, end - MAX_DICTIONARY), end);
  const near = window.slice(window.lastIndexOf('endstream') + 1);
  if (!/>>[\0\s]*$/.test(near)) return near;
  let depth = 0;
  for (let at = near.lastIndexOf('>>'); at >= 0; at -= 1) {
    const pair = near.slice(at, at + 2);
    if (pair === '>>') depth += 1;
    else if (pair === '<<') depth -= 1;
    else continue;
    if (depth === 0) {
      const dictionary = near.slice(at);
      return /[()%]/.test(dictionary) ? near : dictionary;
    }
    at -= 1;
  }
  return near;
}

/** Whether the stream has a single, direct Flate filter, which is how ordinary programs compress objects. */
const FLATE = '/(?:FlateDecode|Fl)(?![A-Za-z0-9])';
const PLAIN_FILTER = new RegExp(`/Filter[\\0\\s]*(?:${FLATE}|\\[[\\0\\s]*${FLATE}[\\0\\s]*\\])[\\0\\s]*(?:/|>>)`);

/** Objects can be inside compressed streams, which are inspected if they are compressed in the usual way. */
function refuseWrapped(text: string, dictionaryEnd: number): void {
  const dictionary = decodeNames(dictionaryBefore(text, dictionaryEnd));
  const names = [...namesIn(dictionary)];
  if (!names.includes('ObjStm')) return;
  const filters = names.filter((name) => name === 'Filter').length;
  const isPlain = filters === 0 || (filters === 1 && PLAIN_FILTER.test(dictionary));
  if (!isPlain || names.some((name) => /^(DecodeParms|Predictor|Crypt)$/.test(name))) throw new FileRefused(HIDES);
}

/** The two-byte zlib header: deflate with any window size, and a header checksum. */
function isPacked(bytes: Buffer, at: number): boolean {
  const [method = 0, flags = 0] = [bytes[at], bytes[at + 1]];
  return (method & 0x0f) === 8 && method >> 4 <= 7 && ((method << 8) | flags) % 31 === 0;
}

/** Accepts truncated streams and ignores the checksum, as most viewers do. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/**
 * Unpacks a stream, or the part before any damage, which viewers show too.
 * @throws FileRefused if it exceeds `maxBytes`
 */
async function unpack(packed: Buffer, maxBytes: number): Promise<Buffer> {
  const content = packed.subarray(2);
  try {
    return inflateRawSync(content, { ...LENIENT, maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw new FileRefused(TOO_LARGE);
    return unpackDamaged(content, maxBytes);
  }
}

async function unpackDamaged(content: Buffer, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const inflate = createInflateRaw({ ...LENIENT, chunkSize: 4096 });
  inflate.end(content);
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) throw new FileRefused(TOO_LARGE);
    }
  } catch (error) {
    // The rest is a picture or damaged; neither is active content.
    if (error instanceof FileRefused) throw error;
  }
  return Buffer.concat(chunks);
}

/** Unpacks the compressed streams. */
async function* unpacked(bytes: Buffer, text: string): AsyncGenerator<string> {
  let left = MAX_UNPACKED.file;
  let end = -1;
  for (const { dictionaryEnd, start } of streamsIn(text)) {
    refuseWrapped(text, dictionaryEnd);
    if (!isPacked(bytes, start)) continue;
    // If no stream has an end marker, search for it once, not once per stream.
    if (end < start) end = text.indexOf('endstream', start);
    if (end < 0) end = text.length;
    const whole = await unpack(bytes.subarray(start, end), Math.min(left, MAX_UNPACKED.stream));
    left -= whole.length;
    yield whole.toString('latin1');
  }
}

/** Counts the pages of a PDF that was inspected. */
function countPages(bytes: Buffer, text: string): Promise<number> {
  let left = MAX_UNPACKED.file;
  const unpackPart = async (start: number, end: number) => {
    if (!isPacked(bytes, start)) return null;
    const whole = await unpack(bytes.subarray(start, end), Math.min(left, MAX_UNPACKED.stream));
    left -= whole.length;
    return whole.toString('latin1');
  };
  return countPdfPages({ text, unpack: unpackPart });
}

/**
 * Inspects a whole PDF, including compressed objects.
 * @throws FileRefused if it is not a complete PDF, is encrypted, or contains active content
 */
export async function inspectPdf(file: string): Promise<{ pages: number }> {
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
    throw new FileRefused('This file is damaged or not a PDF');
  }
  for (const name of namesIn(text)) {
    if (name === 'Encrypt') throw new FileRefused('This PDF has a password. Save it without one and add that');
  }
  refuseActive(text);
  for await (const part of unpacked(bytes, text)) refuseActive(part);
  return { pages: await countPages(bytes, text) };
}
