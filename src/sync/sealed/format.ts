/**
 * The format of a sealed file, as pure functions on bytes. Source: docs/decisions/037-sealed-file.md.
 *
 *     "CBSEAL" · version (1 byte) · length of the header (4 bytes) · header (JSON) · parts
 *
 * A part holds at most `part` bytes, encrypted with AES-256-GCM. Its nonce is the prefix of the header, a counter and a
 * byte that is 1 in the last part, so a file that was cut between two parts fails. Each part authenticates everything
 * before the first one, so an edited header fails.
 */

const MAGIC = new TextEncoder().encode('CBSEAL');
const VERSION = 1;
const FIXED_BYTES = MAGIC.length + 1 + 4;
const KDF = 'PBKDF2-SHA-256';
const CIPHER = 'A256GCM';
const TAG_BYTES = 16;
const PART_BYTES = 1024 * 1024;
const ITERATIONS = 600_000;
/** More than any version of the app writes. An edited header must not keep the device busy. */
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_ITERATIONS = 10_000_000;
const MAX_PART_BYTES = 16 * 1024 * 1024;

/** What the header tells without the code. */
export interface SealedHeader {
  v: number;
  kdf: string;
  iterations: number;
  /** Base64. */
  salt: string;
  cipher: string;
  /** Bytes of a part before its encryption. */
  part: number;
  /** The first seven bytes of each nonce, base64. */
  prefix: string;
  /** Number of bytes before the encryption, which shows whether the file was cut. */
  bytes: number;
  /** Names the account without telling whose it is, see `nameAccount`. */
  account: string;
  /** ISO time. */
  made_at: string;
  /** Number of changes. */
  rows: number;
}

/**
 * Why a file is refused. `newer`: another version of the app wrote it. `code`: the code does not open it, or its header was
 * edited, which nothing tells apart.
 */
export type SealedRefusal = 'not sealed' | 'newer' | 'cut' | 'changed' | 'code';

/** A file that cannot be opened. Nothing was changed. */
export class SealedError extends Error {
  readonly reason: SealedRefusal;
  constructor(reason: SealedRefusal) {
    super(`The sealed file is refused: ${reason}`);
    this.name = 'SealedError';
    this.reason = reason;
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

const encode = (text: string): Bytes => new TextEncoder().encode(text);
const toBase64 = (bytes: Bytes): string => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

function join(parts: readonly Bytes[]): Bytes {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const uint32 = (n: number): Bytes => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);
const readUint32 = (bytes: Bytes, at: number): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);

/** The name of an account in headers. A device recognizes its own one, and nobody can read whose a file is. */
export async function nameAccount(origin: string, userId: string): Promise<string> {
  return toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', encode(`${origin} ${userId}`))));
}

async function deriveKey(words: readonly string[], { salt, iterations }: SealedHeader): Promise<CryptoKey> {
  const code = await crypto.subtle.importKey('raw', encode(words.join(' ')), 'PBKDF2', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt: fromBase64(salt), iterations },
    code,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** The parameters of one part. */
async function partsOf(header: SealedHeader, before: Bytes) {
  const additionalData = new Uint8Array(await crypto.subtle.digest('SHA-256', before));
  const prefix = fromBase64(header.prefix);
  const count = Math.max(1, Math.ceil(header.bytes / header.part));
  const parameters = (n: number) => ({
    name: 'AES-GCM',
    iv: join([prefix, uint32(n), Uint8Array.of(n === count - 1 ? 1 : 0)]),
    additionalData,
  });
  return { count, parameters };
}

/**
 * Writes a sealed file.
 * @param options.onProgress receives the share that is done, from 0 to 1
 * @returns the pieces of the file, in order
 */
export async function writeSealed(
  content: Bytes,
  words: readonly string[],
  about: Pick<SealedHeader, 'account' | 'made_at' | 'rows'>,
  options: { iterations?: number; part?: number; onProgress?: (share: number) => void } = {},
): Promise<Bytes[]> {
  const header: SealedHeader = {
    v: VERSION,
    kdf: KDF,
    iterations: options.iterations ?? ITERATIONS,
    salt: toBase64(crypto.getRandomValues(new Uint8Array(16))),
    cipher: CIPHER,
    part: options.part ?? PART_BYTES,
    prefix: toBase64(crypto.getRandomValues(new Uint8Array(7))),
    bytes: content.length,
    ...about,
  };
  const json = encode(JSON.stringify(header));
  const before = join([MAGIC, Uint8Array.of(VERSION), uint32(json.length), json]);
  const key = await deriveKey(words, header);
  const { count, parameters } = await partsOf(header, before);
  const out = [before];
  for (let n = 0; n < count; n += 1) {
    const plain = content.subarray(n * header.part, (n + 1) * header.part);
    out.push(new Uint8Array(await crypto.subtle.encrypt(parameters(n), key, plain)));
    options.onProgress?.((n + 1) / count);
  }
  return out;
}

/**
 * Reads the header of a file and checks that the file is complete.
 * @throws {SealedError}
 */
export function readHeader(file: Bytes): SealedHeader {
  if (MAGIC.some((byte, at) => file[at] !== byte)) throw new SealedError('not sealed');
  if (file.length < FIXED_BYTES) throw new SealedError('cut');
  if (file[MAGIC.length] !== VERSION) throw new SealedError('newer');
  const length = readUint32(file, MAGIC.length + 1);
  if (length > MAX_HEADER_BYTES) throw new SealedError('changed');
  if (file.length < FIXED_BYTES + length) throw new SealedError('cut');
  const header = parseHeader(file.subarray(FIXED_BYTES, FIXED_BYTES + length));
  const count = Math.max(1, Math.ceil(header.bytes / header.part));
  const wanted = FIXED_BYTES + length + header.bytes + count * TAG_BYTES;
  if (file.length !== wanted) throw new SealedError(file.length < wanted ? 'cut' : 'changed');
  return header;
}

function parseHeader(json: Bytes): SealedHeader {
  const header = attempt('changed', () => JSON.parse(new TextDecoder().decode(json)) as Partial<SealedHeader> | null);
  const { v, kdf, cipher, iterations, part, bytes, salt, prefix, account, made_at, rows } = header ?? {};
  if (v !== VERSION || kdf !== KDF || cipher !== CIPHER) throw new SealedError('newer');
  const isWhole = (n: unknown, least: number, most: number) =>
    Number.isSafeInteger(n) && Number(n) >= least && Number(n) <= most;
  const isSound =
    isWhole(iterations, 1, MAX_ITERATIONS) &&
    isWhole(part, 1, MAX_PART_BYTES) &&
    isWhole(bytes, 0, Number.MAX_SAFE_INTEGER) &&
    isWhole(rows, 0, Number.MAX_SAFE_INTEGER) &&
    [salt, prefix, account, made_at].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(String(made_at))) &&
    attempt('changed', () => fromBase64(String(prefix)).length === 7 && fromBase64(String(salt)).length >= 16);
  if (!isSound) throw new SealedError('changed');
  return header as SealedHeader;
}

function attempt<T>(reason: SealedRefusal, work: () => T): T {
  try {
    return work();
  } catch {
    throw new SealedError(reason);
  }
}

/**
 * Decrypts a file with its code.
 * @throws {SealedError}
 */
export async function readSealed(
  file: Bytes,
  words: readonly string[],
  onProgress?: (share: number) => void,
): Promise<Bytes> {
  const header = readHeader(file);
  const start = FIXED_BYTES + readUint32(file, MAGIC.length + 1);
  const key = await deriveKey(words, header);
  const { count, parameters } = await partsOf(header, file.subarray(0, start));
  const out: Bytes[] = [];
  for (let n = 0; n < count; n += 1) {
    const at = start + n * (header.part + TAG_BYTES);
    const part = file.subarray(at, at + header.part + TAG_BYTES);
    const plain = await crypto.subtle.decrypt(parameters(n), key, part).catch(() => {
      // The first part proves the code, so what fails later was changed.
      throw new SealedError(n === 0 ? 'code' : 'changed');
    });
    out.push(new Uint8Array(plain));
    onProgress?.((n + 1) / count);
  }
  return join(out);
}
