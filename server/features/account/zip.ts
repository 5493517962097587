import { crc32 } from 'node:zlib';

/**
 * A ZIP archive as a stream. Files are stored, not deflated: pictures do not get smaller, and with sizes known from the
 * start the whole length can be told before the first byte. Sizes and offsets are written in the wide form (ZIP64) where
 * the narrow one cannot hold them. A library would do the same with more code than this.
 */
export interface ZipEntry {
  /** Path in the archive, with `/`. */
  name: string;
  sizeBytes: number;
  /** The bytes from the beginning; asked twice, since their checksum stands before them. */
  open: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

const NARROW = 0xffffffff;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const WIDE_VERSION = 45;

interface Written {
  name: Buffer;
  sizeBytes: number;
  crc: number;
  offset: number;
}

/** DOS date and time, which ZIP has: local time without a zone, in steps of two seconds. UTC here. */
function dosTime(at: Date): number {
  const date = (Math.max(0, at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 65_536 + time;
}

function wideExtra(values: number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + values.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(values.length * 8, 2);
  values.forEach((value, index) => extra.writeBigUInt64LE(BigInt(value), 4 + index * 8));
  return extra;
}

function localHeader({ name, sizeBytes, crc }: Omit<Written, 'offset'>, time: number): Buffer {
  const isWide = sizeBytes >= NARROW;
  const extra = wideExtra(isWide ? [sizeBytes, sizeBytes] : []);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(isWide ? WIDE_VERSION : 20, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt32LE(time, 10);
  header.writeUInt32LE(crc, 14);
  header.writeUInt32LE(isWide ? NARROW : sizeBytes, 18);
  header.writeUInt32LE(isWide ? NARROW : sizeBytes, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

function centralHeader({ name, sizeBytes, crc, offset }: Written, time: number): Buffer {
  const isBig = sizeBytes >= NARROW;
  const isFar = offset >= NARROW;
  const extra = wideExtra([...(isBig ? [sizeBytes, sizeBytes] : []), ...(isFar ? [offset] : [])]);
  const version = extra.length > 0 ? WIDE_VERSION : 20;
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(version, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt32LE(time, 12);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(isBig ? NARROW : sizeBytes, 20);
  header.writeUInt32LE(isBig ? NARROW : sizeBytes, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(isFar ? NARROW : offset, 42);
  return Buffer.concat([header, name, extra]);
}

function ending(entries: number, start: number, length: number): Buffer {
  const isWide = entries >= 0xffff || start >= NARROW || length >= NARROW;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries, 0xffff), 10);
  end.writeUInt32LE(Math.min(length, NARROW), 12);
  end.writeUInt32LE(Math.min(start, NARROW), 16);
  if (!isWide) return end;
  const wide = Buffer.alloc(76);
  wide.writeUInt32LE(0x06064b50, 0);
  wide.writeBigUInt64LE(44n, 4);
  wide.writeUInt16LE(WIDE_VERSION, 12);
  wide.writeUInt16LE(WIDE_VERSION, 14);
  wide.writeBigUInt64LE(BigInt(entries), 24);
  wide.writeBigUInt64LE(BigInt(entries), 32);
  wide.writeBigUInt64LE(BigInt(length), 40);
  wide.writeBigUInt64LE(BigInt(start), 48);
  wide.writeUInt32LE(0x07064b50, 56);
  wide.writeBigUInt64LE(BigInt(start + length), 64);
  wide.writeUInt32LE(1, 72);
  return Buffer.concat([wide, end]);
}

/** How long the archive of these will be. */
export function zipLength(entries: readonly Pick<ZipEntry, 'name' | 'sizeBytes'>[]): number {
  let offset = 0;
  let central = 0;
  for (const { name: text, sizeBytes } of entries) {
    const name = Buffer.from(text);
    central += centralHeader({ name, sizeBytes, crc: 0, offset }, 0).length;
    offset += localHeader({ name, sizeBytes, crc: 0 }, 0).length + sizeBytes;
  }
  return offset + central + ending(entries.length, offset, central).length;
}

async function checksum({ name, sizeBytes, open }: ZipEntry): Promise<number> {
  let crc = 0;
  let seen = 0;
  for await (const chunk of await open()) {
    crc = crc32(chunk, crc);
    seen += chunk.byteLength;
  }
  if (seen !== sizeBytes) throw new Error(`${name} has ${seen} bytes instead of ${sizeBytes}`);
  return crc;
}

/** The archive, entry after entry. @param at stands as the time of every file */
export async function* zip(entries: readonly ZipEntry[], at: Date): AsyncGenerator<Uint8Array> {
  const time = dosTime(at);
  const written: Written[] = [];
  let offset = 0;
  for (const entry of entries) {
    const facts = { name: Buffer.from(entry.name), sizeBytes: entry.sizeBytes, crc: await checksum(entry) };
    const header = localHeader(facts, time);
    written.push({ ...facts, offset });
    yield header;
    yield* await entry.open();
    offset += header.length + entry.sizeBytes;
  }
  const central = Buffer.concat(written.map((each) => centralHeader(each, time)));
  yield central;
  yield ending(written.length, offset, central.length);
}
