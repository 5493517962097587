import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { constants, createInflateRaw, inflateRawSync } from 'node:zlib';
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
const WRAPPINGS = [
  'ASCIIHexDecode',
  'AHx',
  'ASCII85Decode',
  'A85',
  'LZWDecode',
  'LZW',
  'RunLengthDecode',
  'RL',
  'Crypt',
  'Predictor',
];
/** Unpacked, in bytes: of one stream and of all. */
const MOST_UNPACKED = { stream: 32 * 1024 * 1024, file: 128 * 1024 * 1024 };
const TOO_LARGE = 'This PDF is too large when unpacked. Print it to a new PDF and add that';
/** More than a book has; a file full of tiny ones is made to keep us busy. */
const MOST_STREAMS = 20_000;
/** Before a stream: the longest dictionary that is read, in characters. */
const LONGEST_DICTIONARY = 2000;

/** Names in a piece of a PDF, with their #xx written out. */
function* namesIn(text: string): Generator<string> {
  for (const [, name = ''] of text.matchAll(/\/([A-Za-z#][^\s/<>[\](){}%]{1,60})/g)) {
    yield name.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}

function refuseActive(text: string): void {
  for (const name of namesIn(text)) {
    if (ACTIVE.has(name))
      throw new FileRefused('This PDF contains scripts or other files. Print it to a new PDF and add that');
  }
}

/** Where the content of each stream begins, by where its dictionary ends. @throws FileRefused */
function streamsIn(text: string): { dictionaryEnd: number; start: number }[] {
  const streams: { dictionaryEnd: number; start: number }[] = [];
  for (const { index, 0: found } of text.matchAll(/(?<!end)stream\r?\n/g)) {
    streams.push({ dictionaryEnd: index, start: index + found.length });
    if (streams.length > MOST_STREAMS)
      throw new FileRefused('This PDF has too many parts. Print it to a new PDF and add that');
  }
  return streams;
}

/** Objects in streams can be seen where they are packed as everybody packs them. */
function refuseWrapped(text: string, dictionaryEnd: number): void {
  const before = text.slice(Math.max(0, dictionaryEnd - LONGEST_DICTIONARY), dictionaryEnd);
  const names = new Set(namesIn(before.slice(before.lastIndexOf('obj') + 1)));
  if (names.has('ObjStm') && WRAPPINGS.some((name) => names.has(name))) {
    throw new FileRefused('This PDF hides some of its contents. Print it to a new PDF and add that');
  }
}

/** The two bytes every packed stream begins with: deflate, and a sum of their own. */
const isPacked = (bytes: Buffer, at: number) => bytes[at] === 0x78 && (0x7800 + (bytes[at + 1] ?? 0)) % 31 === 0;

/** How far a stream is read that ends too early. The sum behind it is not looked at, as few viewers do. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/**
 * A stream unpacked, or as much of it as comes before its damage: viewers show that too.
 * @throws FileRefused where it is more than `most` bytes
 */
async function unpack(packed: Buffer, most: number): Promise<Buffer> {
  const content = packed.subarray(2);
  try {
    return inflateRawSync(content, { ...LENIENT, maxOutputLength: most });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw new FileRefused(TOO_LARGE);
    return unpackDamaged(content, most);
  }
}

async function unpackDamaged(content: Buffer, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const inflate = createInflateRaw({ ...LENIENT, chunkSize: 4096 });
  inflate.end(content);
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > most) throw new FileRefused(TOO_LARGE);
    }
  } catch (error) {
    // A picture or broken from there on, and neither acts.
    if (error instanceof FileRefused) throw error;
  }
  return Buffer.concat(chunks);
}

/** The streams that are packed, unpacked. */
async function* unpacked(bytes: Buffer, text: string): AsyncGenerator<string> {
  let left = MOST_UNPACKED.file;
  let end = -1;
  for (const { dictionaryEnd, start } of streamsIn(text)) {
    refuseWrapped(text, dictionaryEnd);
    if (!isPacked(bytes, start)) continue;
    // Where none has an end it is looked for once, not once for each.
    if (end < start) end = text.indexOf('endstream', start);
    if (end < 0) end = text.length;
    // Others have their turn between two of them.
    await turn();
    const whole = await unpack(bytes.subarray(start, end), Math.min(left, MOST_UNPACKED.stream));
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
