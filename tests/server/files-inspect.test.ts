import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspect } from '#server/features/media/inspect/inspect.ts';
import { blank } from '#server/features/media/inspect/blank.ts';
import { FileRefused } from '#server/features/media/inspect/refused.ts';
import { HOSTILE } from './support/hostile-files.ts';
import { aac, avi, doc, docx, m4a, mp3, mp4, ogg, packedObject, pdf, wav, webm } from './support/media-files.ts';

type Kind = Parameters<typeof inspect>[1];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callboard-inspect-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function inspectBytes(bytes: Buffer, kind: Kind) {
  const file = path.join(folder, 'a-file');
  await writeFile(file, bytes);
  return inspect(file, kind);
}

function mp3Frame(bytes: number, rates: number): Buffer {
  const frame = Buffer.alloc(bytes);
  frame.set([0xff, 0xfb, rates, 0xc4]);
  return frame;
}

describe('detects the type by content', () => {
  test.each<[string, Kind, Buffer, object]>([
    ['an MP4', 'video', mp4({ seconds: 3 }), { extension: 'mp4', durationSeconds: 3, width: 640, height: 360 }],
    ['an MP4 in portrait orientation', 'video', mp4({ isTurned: true }), { width: 360, height: 640 }],
    ['a QuickTime film', 'video', mp4({ brand: 'qt  ' }), { extension: 'mov', type: 'video/quicktime', width: 640 }],
    ['an AVI', 'video', avi(), { extension: 'avi', durationSeconds: 3, width: 640, height: 360 }],
    ['a WebM', 'video', webm(), { extension: 'webm', type: 'video/webm', durationSeconds: 3, width: 640, height: 360 }],
    ['a WebM as it is recorded', 'video', webm({ isLive: true }), { durationSeconds: 3, width: 640 }],
    ['an MP4 without a duration', 'video', mp4({ seconds: 0 }), { durationSeconds: null, width: 640 }],
    ['an MP3', 'audio', mp3(), { extension: 'mp3', type: 'audio/mpeg' }],
    ['a WAV', 'audio', wav(), { extension: 'wav', durationSeconds: 2 }],
    ['an AAC', 'audio', aac(), { extension: 'aac', type: 'audio/aac' }],
    ['a voice memo', 'audio', m4a(), { extension: 'm4a', type: 'audio/mp4', durationSeconds: 2 }],
    ['a voice memo in a plain MP4', 'audio', m4a({ brand: 'isom' }), { extension: 'm4a', type: 'audio/mp4' }],
    ['a voice memo without a duration', 'audio', m4a({ seconds: 0 }), { extension: 'm4a', durationSeconds: null }],
    ['an Ogg', 'audio', ogg(), { extension: 'ogg', durationSeconds: 2 }],
    ['a PDF', 'document', pdf(), { extension: 'pdf', type: 'application/pdf' }],
    ['a PDF with packed objects', 'document', pdf(packedObject('/Type /ObjStm', '<< /Type /Font >>')), {}],
    ['a Word document', 'document', docx(), { extension: 'docx' }],
    ['a legacy Word document', 'document', doc(), { extension: 'doc', type: 'application/msword' }],
  ])('%s', async (_, kind, bytes, facts) => {
    expect(await inspectBytes(bytes, kind)).toMatchObject(facts);
  });

  test.each([
    ['mp3', mp3(2)],
    ['aac', aac(2)],
  ])('counts the duration of an %s by its frames', async (_, bytes) => {
    expect((await inspectBytes(bytes, 'audio')).durationSeconds).toBeCloseTo(2, 1);
  });

  /** An MP3 whose frames have two bit rates, as encoders write speech, with a tag in front and a note behind. */
  const variableMp3 = (seconds: number) => {
    const [low, high] = [mp3Frame(417, 0x90), mp3Frame(522, 0xa0)];
    const frames = Array.from({ length: Math.round((seconds * 44_100) / 1152) }, (_, n) => (n % 3 ? low : high));
    const tag = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\x02\0', 'latin1'), Buffer.alloc(256, 0xff)]);
    return Buffer.concat([tag, ...frames, Buffer.from('TAG'), Buffer.alloc(125)]);
  };

  test('counts the duration of an MP3 of varying quality by its frames', async () => {
    expect((await inspectBytes(variableMp3(4), 'audio')).durationSeconds).toBeCloseTo(4, 1);
  });

  test.each([
    ['an AAC', aac(3000)],
    ['an MP3 of varying quality', variableMp3(1500)],
  ])('inspects %s of many minutes fast, although its frames are counted', async (_, bytes) => {
    const startedAt = performance.now();
    expect((await inspectBytes(bytes, 'audio')).durationSeconds).toBeGreaterThan(1400);
    // The library took a hundred times as long.
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

test('finds the location metadata of a video', async () => {
  const bytes = mp4({ place: '+18.9750+072.8258/' });
  const { hidden } = await inspectBytes(bytes, 'video');
  const hiddenTexts = hidden.map(({ offset, length }) => bytes.toString('latin1', offset, offset + length));
  expect(hiddenTexts).toEqual([expect.stringContaining('+18.9750+072.8258/')]);
});

test.each(['in front of its pictures', 'behind its pictures'] as const)(
  'blanks the words of a WebM %s, and leaves everything else where it is',
  async (where) => {
    const words =
      where === 'behind its pictures' ? { place: `filmed in ${'Mumbai '.repeat(60)}` } : { title: 'Mumbai' };
    const bytes = webm(words);
    const before = await inspectBytes(bytes, 'video');
    expect(before.hidden).toHaveLength(1);
    await blank(path.join(folder, 'a-file'), before.hidden);
    const blanked = await readFile(path.join(folder, 'a-file'));
    expect(blanked).toHaveLength(bytes.length);
    expect(blanked.includes('Mumbai')).toBe(false);
    const [part] = before.hidden;
    const restOf = (file: Buffer) => [file.subarray(0, part!.offset), file.subarray(part!.offset + part!.length)];
    expect(restOf(blanked)).toEqual(restOf(bytes));
    expect(await inspectBytes(blanked, 'video')).toEqual({ ...before, hidden: [] });
  },
);

test('takes a recording whose last second is not whole, as it is after a crash', async () => {
  const bytes = webm({ isLive: true });
  expect(await inspectBytes(bytes.subarray(0, bytes.length - 100), 'video')).toMatchObject({ durationSeconds: 2 });
});

describe('rejects hostile files with a message', () => {
  test.each(HOSTILE)('%s', async (_, kind, bytes, message) => {
    const inspected = inspectBytes(bytes, kind);
    await expect(inspected).rejects.toThrow(FileRefused);
    await expect(inspected).rejects.toThrow(message);
  });
});

test('inspects a Word document with a very long word in its relationships without delay', async () => {
  const relations = `<Relationships>${'attachedTemplate'.repeat(250_000)}</Relationships>`;
  expect(await inspectBytes(docx({ 'word/_rels/settings.xml.rels': relations }), 'document')).toMatchObject({
    extension: 'docx',
  });
});

test.each(['video', 'audio', 'document'] as const)(
  'does not report an error of the local disk as a damaged file: %s',
  async (kind) => {
    await expect(inspect(path.join(folder, 'not-there'), kind)).rejects.toThrow('ENOENT');
  },
);
