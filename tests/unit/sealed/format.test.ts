import { beforeAll, describe, expect, it } from 'vitest';
import {
  nameAccount,
  readHeader,
  readSealed,
  SealedError,
  type SealedRefusal,
  writeSealed,
} from '../../../src/sync/sealed/format.ts';
import { CODE_LENGTH, findSlip, makeCode, parseCode, WORDS } from '../../../src/sync/sealed/code.ts';
import { quantity } from '../../support/quantity.ts';

const words = ['river', 'copper', 'monkey', 'harvest', 'lemon', 'velvet'];
/** Three parts, the last of them shorter. */
const content = Uint8Array.from({ length: 250 }, (_, at) => at);
const about = { account: 'abc=', made_at: '2026-11-22T11:05:00.000Z', rows: 3 };
/** Deriving the real key takes a third of a second. */
const quick = { iterations: 10, part: 100 };

let file: Uint8Array<ArrayBuffer>;
let headerEnd: number;
beforeAll(async () => {
  const pieces = await writeSealed(content, words, about, quick);
  headerEnd = pieces[0]!.length;
  file = new Uint8Array(await new Blob(pieces).arrayBuffer());
});

async function refusalOf(work: () => unknown): Promise<SealedRefusal | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof SealedError) return error.reason;
    throw error;
  }
}
const flipped = (at: number, bit: number) => file.map((byte, n) => (n === at ? byte ^ (1 << bit) : byte));

describe('a sealed file', () => {
  it('is read with its code as it was written', async () => {
    expect(await readSealed(file, words)).toEqual(content);
    expect(readHeader(file)).toMatchObject({ ...about, v: 1, bytes: 250 });
  });

  it('holds no byte of its content in the clear', () => {
    expect(Buffer.from(file).includes(Buffer.from(content.subarray(0, 16)))).toBe(false);
  });

  it('reports its progress up to the whole', async () => {
    const shares: number[] = [];
    await readSealed(file, words, (share) => shares.push(share));
    expect(shares).toEqual([1 / 3, 2 / 3, 1]);
  });

  it.each([0, 1, 100, 200])('keeps a content of %i bytes', async (length) => {
    const pieces = await writeSealed(content.slice(0, length), words, about, quick);
    const whole = new Uint8Array(await new Blob(pieces).arrayBuffer());
    expect(await readSealed(whole, words)).toEqual(content.slice(0, length));
  });

  it('is written with a key that takes 600,000 rounds', async () => {
    const [header] = await writeSealed(new Uint8Array(0), words, about);
    expect(new TextDecoder().decode(header)).toContain('"iterations":600000');
  });

  it('is never written twice with the same salt or nonce', async () => {
    const [other] = await writeSealed(content, words, about, quick);
    const { salt, prefix } = readHeader(file);
    const text = new TextDecoder().decode(other);
    expect([text.includes(salt), text.includes(prefix)]).toEqual([false, false]);
  });

  it('is refused with another code', async () => {
    expect(await refusalOf(() => readSealed(file, [...words.slice(1), words[0]!]))).toBe('code');
  });

  it('is refused when it is cut anywhere', async () => {
    for (let length = 7; length < file.length; length += quantity(7, 1)) {
      const reason = await refusalOf(() => readSealed(file.slice(0, length), words));
      expect(reason, `cut to ${length} bytes`).toBe('cut');
    }
  });

  it('is refused when something follows', async () => {
    expect(await refusalOf(() => readSealed(Uint8Array.from([...file, 0]), words))).toBe('changed');
  });

  it('is refused when two parts are exchanged or the last one is left out', async () => {
    const part = 116;
    const [one, two, rest] = [0, 1, 2].map((n) => file.slice(headerEnd + n * part, headerEnd + (n + 1) * part));
    const start = file.slice(0, headerEnd);
    const exchanged = Uint8Array.from([...start, ...two!, ...one!, ...rest!]);
    expect(await refusalOf(() => readSealed(exchanged, words))).toBe('code');
    expect(await refusalOf(() => readSealed(Uint8Array.from([...start, ...one!, ...two!]), words))).toBe('cut');
  });

  it('is refused with any bit of its header flipped', async () => {
    for (let bit = 0; bit < headerEnd * 8; bit += quantity(5, 1)) {
      const changed = flipped(Math.floor(bit / 8), bit % 8);
      expect(await refusalOf(() => readSealed(changed, words)), `bit ${bit}`).not.toBeNull();
    }
  });

  it('is refused with any byte of a part flipped', async () => {
    for (let at = headerEnd; at < file.length; at += quantity(11, 1)) {
      const reason = await refusalOf(() => readSealed(flipped(at, at % 8), words));
      expect(reason, `byte ${at}`).toBe(at < headerEnd + 116 ? 'code' : 'changed');
    }
  });

  it.each([
    ['another version', (text: string) => text.replace('"v":1', '"v":2')],
    ['another key derivation', (text: string) => text.replace('PBKDF2-SHA-256', 'ARGON2ID-00000')],
    ['another cipher', (text: string) => text.replace('A256GCM', 'CHACHA2')],
  ])('asks for an update when it has %s', async (_, change) => {
    const text = change(Buffer.from(file.subarray(0, headerEnd)).toString('latin1'));
    const newer = Uint8Array.from([...Buffer.from(text, 'latin1'), ...file.subarray(headerEnd)]);
    expect(await refusalOf(() => readSealed(newer, words))).toBe('newer');
  });

  it('does not keep the device busy for an edited number of rounds', async () => {
    const text = Buffer.from(file.subarray(0, headerEnd))
      .toString('latin1')
      .replace('"iterations":10', '"iterations":9e');
    const edited = Uint8Array.from([...Buffer.from(text, 'latin1'), ...file.subarray(headerEnd)]);
    expect(await refusalOf(() => readSealed(edited, words))).toBe('changed');
  });

  it.each([
    ['an empty file', []],
    ['a photo', [0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ])('is told apart from %s', async (_, bytes) => {
    expect(await refusalOf(() => readSealed(Uint8Array.from(bytes), words))).toBe('not sealed');
  });
});

it('names the account of an origin and a person, and no other', async () => {
  const names = await Promise.all([
    nameAccount('https://a.example', '7'),
    nameAccount('https://a.example', '7'),
    nameAccount('https://b.example', '7'),
    nameAccount('https://a.example', '8'),
  ]);
  expect(new Set(names).size).toBe(3);
  expect(names[0]).toBe(names[1]);
});

describe('the code', () => {
  it('is made of 2,048 plain words', () => {
    expect([WORDS.length, new Set(WORDS).size]).toEqual([2048, 2048]);
    expect(WORDS.every((word) => /^[a-z]{3,8}$/.test(word))).toBe(true);
  });

  it('has six words and is another one each time', () => {
    const codes = Array.from({ length: 50 }, () => makeCode().join(' '));
    expect(new Set(codes).size).toBe(50);
    for (const code of codes) expect(code.split(' ')).toHaveLength(CODE_LENGTH);
  });

  it('is read without regard to case, blanks and line ends', () => {
    expect(parseCode('  River copper\nMONKEY, harvest  lemon velvet ')).toEqual(words);
  });

  it('shows the word with a slip', () => {
    expect([findSlip(words), findSlip(['river', 'coper'])]).toEqual([null, 'coper']);
  });
});
