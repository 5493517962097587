import { readFile } from 'node:fs/promises';
import { constants, createInflateRaw, inflateRawSync } from 'node:zlib';
import { FileRefused } from './refused.ts';

/** Names of what makes a PDF act by itself, or carry what does (ISO 32000-2, 12.6.4 and 7.11.4). */
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
/** Unpacked, in bytes: of one stream and of all. */
const MAX_UNPACKED = { stream: 32 * 1024 * 1024, file: 128 * 1024 * 1024 };
const TOO_LARGE = 'This PDF is too large when unpacked. Print it to a new PDF and add that';
/** More than a book has; a file full of tiny ones only keeps the server busy. */
const MAX_STREAMS = 20_000;
/** Before a stream: the longest dictionary that is read, in characters. */
const MAX_DICTIONARY = 4000;

/** Writes out the #xx in names. */
const decodeNames = (text: string) =>
  text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Names in a piece of a PDF, with their #xx written out. */
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

/** Where the word `stream` stands, and where the content behind it begins. Viewers bear spaces and a lone CR after the word. */
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
 * The dictionary that ends here, from its `<<` on. Where text in it could make another `<<` seem to be its own, or none is
 * found: everything since the stream before it.
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

/** One filter, deflate, named right there: as every program packs objects that has nothing to hide. */
const FLATE = '/(?:FlateDecode|Fl)(?![A-Za-z0-9])';
const PLAIN_FILTER = new RegExp(`/Filter[\\0\\s]*(?:${FLATE}|\\[[\\0\\s]*${FLATE}[\\0\\s]*\\])[\\0\\s]*(?:/|>>)`);

/** Objects can lie in packed streams. They are looked through where they are packed as everybody packs them. */
function refuseWrapped(text: string, dictionaryEnd: number): void {
  const dictionary = decodeNames(dictionaryBefore(text, dictionaryEnd));
  const names = [...namesIn(dictionary)];
  if (!names.includes('ObjStm')) return;
  const filters = names.filter((name) => name === 'Filter').length;
  const isPlain = filters === 0 || (filters === 1 && PLAIN_FILTER.test(dictionary));
  if (!isPlain || names.some((name) => /^(DecodeParms|Predictor|Crypt)$/.test(name))) throw new FileRefused(HIDES);
}

/** The two bytes every packed stream begins with: deflate in a window of any size, and a sum of their own. */
function isPacked(bytes: Buffer, at: number): boolean {
  const [method = 0, flags = 0] = [bytes[at], bytes[at + 1]];
  return (method & 0x0f) === 8 && method >> 4 <= 7 && ((method << 8) | flags) % 31 === 0;
}

/** How far a stream is read that ends too early. The sum behind it is not looked at, as few viewers do. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/**
 * A stream unpacked, or as much of it as comes before its damage: viewers show that too.
 * @throws FileRefused where it is more than `most` bytes
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
    // A picture or broken from there on, and neither acts.
    if (error instanceof FileRefused) throw error;
  }
  return Buffer.concat(chunks);
}

/** The streams that are packed, unpacked. */
async function* unpacked(bytes: Buffer, text: string): AsyncGenerator<string> {
  let left = MAX_UNPACKED.file;
  let end = -1;
  for (const { dictionaryEnd, start } of streamsIn(text)) {
    refuseWrapped(text, dictionaryEnd);
    if (!isPacked(bytes, start)) continue;
    // Where none has an end it is looked for once, not once for each.
    if (end < start) end = text.indexOf('endstream', start);
    if (end < 0) end = text.length;
    const whole = await unpack(bytes.subarray(start, end), Math.min(left, MAX_UNPACKED.stream));
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
    throw new FileRefused('This file is damaged or not a PDF');
  }
  for (const name of namesIn(text)) {
    if (name === 'Encrypt') throw new FileRefused('This PDF has a password. Save it without one and add that');
  }
  refuseActive(text);
  for await (const part of unpacked(bytes, text)) refuseActive(part);
}
