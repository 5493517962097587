import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** Small, complete files of every kind, built by hand so that tests can alter each part. */

const u16le = (value: number) => Buffer.from(Uint16Array.of(value).buffer);
const u32le = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}
const latin = (text: string) => Buffer.from(text, 'latin1');

/** A box of the ISO base media format. */
export const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), latin(type), body]);
};

const UPRIGHT = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const ROTATED = u32(0, 0x10000, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000);

export interface VideoOptions {
  seconds?: number;
  width?: number;
  height?: number;
  isTurned?: boolean;
  /** The text of its location metadata. */
  place?: string;
  handler?: string;
  brand?: string;
  /** Its pictures. */
  pictures?: Buffer;
}

/** An MP4, or a QuickTime video with the brand 'qt  ', with every table except the sample tables. */
export function mp4(options: VideoOptions = {}): Buffer {
  const { seconds = 3, width = 640, height = 360, isTurned = false, place, handler = 'vide', brand = 'isom' } = options;
  const { pictures = Buffer.alloc(2000, 7) } = options;
  const movieHeader = box(
    'mvhd',
    u32(0, 0, 0, 1000, seconds * 1000, 0x10000, 0x01000000, 0, 0),
    UPRIGHT,
    Buffer.alloc(28),
  );
  const trackHeader = box(
    'tkhd',
    u32(3, 0, 0, 1, 0, seconds * 1000, 0, 0, 0, 0),
    isTurned ? ROTATED : UPRIGHT,
    u32(width << 16, height << 16),
  );
  const media = box('mdia', box('hdlr', u32(0, 0), latin(handler), Buffer.alloc(13)));
  const words = place === undefined ? [] : [box('udta', box('\u00a9xyz', latin(place)))];
  return Buffer.concat([
    box('ftyp', latin(brand), u32(0x200), latin(brand)),
    box('moov', movieHeader, box('trak', trackHeader, media), ...words),
    box('mdat', pictures),
  ]);
}

/** An `esds` box for sound with this object type. AAC is 0x40. */
const esds = (objectType: number) =>
  box(
    'esds',
    u32(0),
    Buffer.from([0x03, 0x80, 0x80, 0x80, 22, 0, 1, 0, 0x04, 17, objectType, 0x15, ...Array(11).fill(0)]),
  );

export interface VoiceMemoOptions {
  seconds?: number;
  brand?: string;
  /** The codec of its samples. 'alac' is lossless. */
  codec?: string;
  objectType?: number;
  /** Handler types of its tracks. */
  tracks?: string[];
}

/** A voice memo as phones record it: sound only in an MP4 container. */
export function m4a(options: VoiceMemoOptions = {}): Buffer {
  const { seconds = 2, brand = 'M4A ', codec = 'mp4a', objectType = 0x40, tracks = ['soun'] } = options;
  const movieHeader = box(
    'mvhd',
    u32(0, 0, 0, 1000, seconds * 1000, 0x10000, 0x01000000, 0, 0),
    UPRIGHT,
    Buffer.alloc(28),
  );
  const trackHeader = box('tkhd', u32(7, 0, 0, 1, 0, seconds * 1000, 0, 0, 0, 0), UPRIGHT, u32(0, 0));
  const entry = box(codec, Buffer.alloc(28), esds(objectType));
  const track = (handler: string) =>
    box(
      'trak',
      trackHeader,
      box(
        'mdia',
        box('hdlr', u32(0, 0), latin(handler), Buffer.alloc(13)),
        box('minf', box('stbl', box('stsd', u32(0, 1), entry))),
      ),
    );
  return Buffer.concat([
    box('ftyp', latin(brand), u32(0), latin(brand), latin('mp42')),
    box('mdat', Buffer.alloc(2000, 7)),
    box('moov', movieHeader, ...tracks.map(track)),
  ]);
}

const chunk = (type: string, content: Buffer): Buffer =>
  Buffer.concat([latin(type), u32le(content.length), content, Buffer.alloc(content.length % 2)]);
const list = (type: string, ...content: Buffer[]) => chunk('LIST', Buffer.concat([latin(type), ...content]));

/** An AVI with 25 frames per second. */
export function avi({ seconds = 3, width = 640, height = 360 } = {}): Buffer {
  const header = Buffer.concat(
    [40_000, 0, 0, 0, seconds * 25, 0, 1, 0, width, height, 0, 0, 0, 0].map((value) => u32le(value)),
  );
  const content = Buffer.concat([
    latin('AVI '),
    list('hdrl', chunk('avih', header)),
    list('INFO', chunk('ISFT', latin('a camera'))),
    list('movi', Buffer.alloc(2000, 7)),
  ]);
  return Buffer.concat([latin('RIFF'), u32le(content.length), content]);
}

/** An element of WebM. Without a length, it goes on until the next one that cannot be inside. */
export function element(id: number, content: Buffer | Buffer[], hasLength = true): Buffer {
  const body = Buffer.isBuffer(content) ? content : Buffer.concat(content);
  const idBytes = Buffer.from(id.toString(16), 'hex');
  const size = Buffer.alloc(8, 0xff);
  if (hasLength) size.writeBigUInt64BE(BigInt(body.length));
  size.writeUInt8(1, 0);
  return Buffer.concat([idBytes, size, body]);
}

export interface WebmOptions {
  seconds?: number;
  width?: number;
  height?: number;
  codec?: string;
  /** Written while it was recorded: with no length of its parts, and no duration. */
  isLive?: boolean;
  title?: string;
  /** A tag that says where it was filmed. */
  place?: string;
  /** 1: pictures; 2: sound. */
  trackType?: number;
}

/** A WebM with one picture for each second, in clusters of one second. */
export function webm(options: WebmOptions = {}): Buffer {
  const {
    seconds = 3,
    width = 640,
    height = 360,
    codec = 'V_VP8',
    isLive = false,
    title,
    place,
    trackType = 1,
  } = options;
  const number = (id: number, value: number) => element(id, u32(value));
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1000);
  const block = Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), Buffer.alloc(400, 7)]);
  const clusters = Array.from({ length: seconds + 1 }, (_, n) =>
    element(0x1f43b675, [number(0xe7, n * 1000), element(0xa3, block)], !isLive),
  );
  const sides = [number(0xb0, width), number(0xba, height)];
  return Buffer.concat([
    element(0x1a45dfa3, [element(0x4282, latin('webm')), number(0x4287, 4)]),
    element(
      0x18538067,
      [
        element(0x1549a966, [
          number(0x2ad7b1, 1_000_000),
          ...(isLive ? [] : [element(0x4489, duration)]),
          ...(title === undefined ? [] : [element(0x7ba9, latin(title))]),
        ]),
        element(0x1654ae6b, [
          element(0xae, [number(0xd7, 1), number(0x83, trackType), element(0x86, latin(codec)), element(0xe0, sides)]),
        ]),
        ...clusters,
        ...(place === undefined ? [] : [element(0x1254c367, latin(place))]),
      ],
      !isLive,
    ),
  ]);
}

/** Silence in 16-bit samples at 8,000 Hz. */
export function wav(seconds = 2): Buffer {
  const format = Buffer.concat([u16le(1), u16le(1), u32le(8000), u32le(16_000), u16le(2), u16le(16)]);
  const content = Buffer.concat([latin('WAVE'), chunk('fmt ', format), chunk('data', Buffer.alloc(seconds * 16_000))]);
  return Buffer.concat([latin('RIFF'), u32le(content.length), content]);
}

/** A recording with many empty chunks before its sound: expensive to parse for its size. */
export function wavOfChunks(count: number): Buffer {
  const whole = wav();
  const soundAt = whole.indexOf('data');
  const empty = chunk('junk', Buffer.alloc(0));
  const chunks = Buffer.alloc(count * empty.length, empty);
  const content = Buffer.concat([whole.subarray(8, soundAt), chunks, whole.subarray(soundAt)]);
  return Buffer.concat([latin('RIFF'), u32le(content.length), content]);
}

/** Frames of MPEG-1 layer III, 128 kbit/s at 44.1 kHz: 417 bytes for 1,152 samples each. */
export function mp3(seconds = 2): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0xc4]);
  return Buffer.concat(Array.from({ length: Math.round((seconds * 44_100) / 1152) }, () => frame));
}

/** Frames of AAC in ADTS, 44.1 kHz stereo: 1,024 samples each. */
export function aac(seconds = 2): Buffer {
  const length = 200;
  const frame = Buffer.alloc(length);
  frame.set([0xff, 0xf1, 0x50, 0x80 | (length >> 11), (length >> 3) & 0xff, ((length & 7) << 5) | 0x1f, 0xfc]);
  return Buffer.concat(Array.from({ length: Math.round((seconds * 44_100) / 1024) }, () => frame));
}

const OGG_CRC = Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

function oggPage(packet: Buffer, flags: number, granule: number, sequence: number): Buffer {
  const segments = [...Array.from({ length: Math.floor(packet.length / 255) }, () => 255), packet.length % 255];
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head.writeUInt8(flags, 5);
  head.writeBigUInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(7, 14);
  head.writeUInt32LE(sequence, 18);
  head.writeUInt8(segments.length, 26);
  const page = Buffer.concat([head, Buffer.from(segments), packet]);
  let crc = 0;
  for (const byte of page) crc = (((crc << 8) >>> 0) ^ (OGG_CRC[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  page.writeUInt32LE(crc, 22);
  return page;
}

/** Ogg with a Vorbis head, 44.1 kHz mono. */
export function ogg(seconds = 2): Buffer {
  const head = Buffer.concat([
    latin('\u0001vorbis'),
    u32le(0),
    Buffer.of(1),
    u32le(44_100),
    u32le(0),
    u32le(96_000),
    u32le(0),
    Buffer.of(0xb8, 1),
  ]);
  const comment = Buffer.concat([latin('\u0003vorbis'), u32le(4), latin('test'), u32le(0), Buffer.of(1)]);
  return Buffer.concat([
    oggPage(head, 2, 0, 0),
    oggPage(comment, 0, 0, 1),
    oggPage(Buffer.alloc(500, 3), 4, seconds * 44_100, 2),
  ]);
}

/** A PDF with one empty page and the given objects. */
export function pdf(...objects: (string | Buffer)[]): Buffer {
  const parts = [
    '%PDF-1.7\n',
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n',
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\n',
    ...objects,
    'trailer\n<< /Root 1 0 R /Size 4 >>\nstartxref\n9\n%%EOF\n',
  ];
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? latin(part) : part)));
}

/** A PDF object with a compressed stream. */
export function packedObject(dictionary: string, content: string): Buffer {
  const packed = deflateSync(latin(content));
  return Buffer.concat([
    latin(`9 0 obj\n<< ${dictionary} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`),
    packed,
    latin('\nendstream\nendobj\n'),
  ]);
}

const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/**
 * A ZIP with these files in order. Files with an entry in `lies` are compressed and have that false size; the rest are
 * stored.
 */
export function zip(files: Record<string, string | Buffer>, lies: Record<string, number> = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const [name, bytes] = [Buffer.from(path), Buffer.from(content)];
    const packed = path in lies ? deflateRawSync(bytes) : bytes;
    const facts = [u32le(0), u32le(crc32(bytes)), u32le(packed.length), u32le(lies[path] ?? bytes.length)];
    const head = Buffer.concat([
      u16le(20),
      u16le(0x800),
      u16le(path in lies ? 8 : 0),
      ...facts,
      u16le(name.length),
      u16le(0),
    ]);
    const local = Buffer.concat([latin('PK\u0003\u0004'), head, name, packed]);
    directory.push(Buffer.concat([latin('PK\u0001\u0002'), u16le(20), head, Buffer.alloc(10), u32le(offset), name]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = u16le(directory.length);
  const end = Buffer.concat([
    latin('PK\u0005\u0006'),
    Buffer.alloc(4),
    count,
    count,
    u32le(central.length),
    u32le(offset),
    u16le(0),
  ]);
  return Buffer.concat([...parts, central, end]);
}

/** A Word document with one line and the given extra files. */
export function docx(extra: Record<string, string | Buffer> = {}, lies: Record<string, number> = {}): Buffer {
  const files = {
    '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="${MAIN}"/></Types>`,
    '_rels/.rels': '<Relationships/>',
    'word/document.xml': '<w:document><w:body><w:p><w:r><w:t>One line</w:t></w:r></w:p></w:body></w:document>',
    ...extra,
  };
  return zip(files, lies);
}

/** The parts of a Word 97 document that the inspection reads: the magic number and the stream names. */
export function doc(...streams: string[]): Buffer {
  const names = ['Root Entry', 'WordDocument', ...streams].map((name) => {
    const entry = Buffer.alloc(128);
    entry.write(name, 'utf16le');
    return entry;
  });
  const magic = Buffer.alloc(512);
  magic.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  return Buffer.concat([magic, ...names, Buffer.alloc(1024)]);
}
