import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspect } from '#server/features/media/inspect/inspect.ts';
import { FileRefused } from '#server/features/media/inspect/refused.ts';
import { aac, avi, box, doc, docx, mp3, mp4, ogg, packedObject, pdf, wav } from './support/media-files.ts';

type Kind = Parameters<typeof inspect>[1];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callboard-inspect-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function look(bytes: Buffer, kind: Kind) {
  const file = path.join(folder, 'a-file');
  await writeFile(file, bytes);
  return inspect(file, kind);
}

describe('is taken by its content', () => {
  test.each<[string, Kind, Buffer, object]>([
    ['an MP4', 'video', mp4({ seconds: 3 }), { extension: 'mp4', durationSeconds: 3, width: 640, height: 360 }],
    ['one filmed upright', 'video', mp4({ isTurned: true }), { width: 360, height: 640 }],
    ['a QuickTime film', 'video', mp4({ brand: 'qt  ' }), { extension: 'mov', type: 'video/quicktime', width: 640 }],
    ['an AVI', 'video', avi(), { extension: 'avi', durationSeconds: 3, width: 640, height: 360 }],
    ['an MP4 that was streamed to disk', 'video', mp4({ seconds: 0 }), { durationSeconds: null, width: 640 }],
    ['an MP3', 'audio', mp3(), { extension: 'mp3', type: 'audio/mpeg' }],
    ['a WAV', 'audio', wav(), { extension: 'wav', durationSeconds: 2 }],
    ['an AAC', 'audio', aac(), { extension: 'aac', type: 'audio/aac' }],
    ['an Ogg', 'audio', ogg(), { extension: 'ogg', durationSeconds: 2 }],
    ['a PDF', 'document', pdf(), { extension: 'pdf', type: 'application/pdf' }],
    ['a PDF with packed objects', 'document', pdf(packedObject('/Type /ObjStm', '<< /Type /Font >>')), {}],
    ['a Word document', 'document', docx(), { extension: 'docx' }],
    ['a Word document of old', 'document', doc(), { extension: 'doc', type: 'application/msword' }],
  ])('%s', async (_, kind, bytes, facts) => {
    expect(await look(bytes, kind)).toMatchObject(facts);
  });

  test.each([
    ['mp3', mp3(2)],
    ['aac', aac(2)],
  ])('the length of an %s is counted by its frames', async (_, bytes) => {
    expect((await look(bytes, 'audio')).durationSeconds).toBeCloseTo(2, 1);
  });
});

test('what a video tells of the place it was filmed at is found', async () => {
  const bytes = mp4({ place: '+18.9750+072.8258/' });
  const { hidden } = await look(bytes, 'video');
  const told = hidden.map(({ offset, length }) => bytes.toString('latin1', offset, offset + length));
  expect(told).toEqual([expect.stringContaining('+18.9750+072.8258/')]);
});

const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 500);
const many = Buffer.concat([mp4(), ...Array.from({ length: 25_000 }, () => box('free'))]);
const CUT_OFF = /cut off/;
const DAMAGED = /damaged/;
const ACTS = /scripts or files inside/;

describe('is refused in words', () => {
  test.each<[string, Kind, Buffer, RegExp]>([
    ['a picture as a video', 'video', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /Only .MP4/],
    ['a PDF as a recording', 'audio', pdf(), /Only .MP3/],
    ['a web page as a document', 'document', Buffer.from('<!doctype html><script>alert(1)</script>'), /Only .doc/],
    ['nothing', 'video', Buffer.alloc(0), /Only .MP4/],
    ['an MP4 cut off', 'video', cut(mp4()), CUT_OFF],
    [
      'an MP4 without its table',
      'video',
      Buffer.concat([mp4().subarray(0, 20), box('mdat', Buffer.alloc(9))]),
      CUT_OFF,
    ],
    ['an MP4 with sound alone', 'video', mp4({ handler: 'soun' }), /no pictures/],
    ['an MP4 of no size', 'video', mp4({ width: 0 }), /no pictures/],
    ['an MP4 with a box longer than its parent', 'video', withLie(mp4(), 'tkhd', 0x7fffffff), DAMAGED],
    ['an MP4 with a box shorter than its head', 'video', withLie(mp4(), 'mdia', 3), DAMAGED],
    ['an MP4 of tiny boxes without end', 'video', many, DAMAGED],
    ['an AVI cut off', 'video', cut(avi()), CUT_OFF],
    ['an AVI of no size', 'video', avi({ width: 0 }), DAMAGED],
    ['a WAV without sound', 'audio', wav(0), DAMAGED],
    ['a PDF cut off', 'document', cut(Buffer.concat([pdf(), Buffer.alloc(400, 32)])), DAMAGED],
    ['a PDF with an archive behind it', 'document', Buffer.concat([pdf(), docx()]), DAMAGED],
    ['a PDF with a script', 'document', pdf('4 0 obj\n<< /S /JavaScript /JS (app.alert(1)) >>\nendobj\n'), ACTS],
    ['a PDF with a script by another spelling', 'document', pdf('4 0 obj\n<< /S /J#61vaScript >>\nendobj\n'), ACTS],
    ['a PDF with a packed script', 'document', pdf(packedObject('/Type /ObjStm', '<< /S /JavaScript >>')), ACTS],
    ['a PDF with a file inside', 'document', pdf('4 0 obj\n<< /Type /EmbeddedFile >>\nendobj\n'), ACTS],
    ['a PDF that starts a program', 'document', pdf('4 0 obj\n<< /S /Launch /F (cmd.exe) >>\nendobj\n'), ACTS],
    [
      'a PDF that hides its objects',
      'document',
      pdf('4 0 obj\n<< /Type /ObjStm /Filter [/ASCIIHexDecode /FlateDecode] >>\nstream\n78\nendstream\nendobj\n'),
      /hides/,
    ],
    ['a PDF that unpacks without end', 'document', pdf(packedObject('', 'x'.repeat(40_000_000))), /far more/],
    ['a locked PDF', 'document', pdf('trailer\n<< /Encrypt 5 0 R >>\n'), /locked/],
    ['a Word document with macros', 'document', docx({ 'word/vbaProject.bin': 'x' }), /macros/],
    ['a Word document with a program in it', 'document', docx({ 'word/embeddings/oleObject1.bin': 'x' }), /macros/],
    [
      'a Word document with a template from elsewhere',
      'document',
      docx({
        'word/_rels/settings.xml.rels':
          '<Relationship Type="x/attachedTemplate" Target="https://example.org/a.dotm" TargetMode="External"/>',
      }),
      /macros/,
    ],
    ['a Word document that climbs out of its folder', 'document', docx({ '../../etc/passwd': 'x' }), DAMAGED],
    [
      'a Word document that lies about a size',
      'document',
      docx({ 'word/media/a.bin': 'xx' }, { 'word/media/a.bin': 1 }),
      DAMAGED,
    ],
    [
      'a Word document that unpacks without end',
      'document',
      docx({ 'word/media/a.bin': 'x' }, { 'word/media/a.bin': 200_000_000 }),
      /far more/,
    ],
    [
      'a Word document of thousands of parts',
      'document',
      docx(Object.fromEntries(Array.from({ length: 2100 }, (_, n) => [`word/media/${n}`, '']))),
      /far more/,
    ],
    ['a Word document without words', 'document', docx({ '[Content_Types].xml': '<Types/>' }), /Only .doc/],
    ['an old Word document with macros', 'document', doc('Macros', '_VBA_PROJECT'), /macros/],
    ['an old spreadsheet', 'document', doc().fill(0, 640, 768), DAMAGED],
  ])('%s', async (_, kind, bytes, words) => {
    const looking = look(bytes, kind);
    await expect(looking).rejects.toThrow(FileRefused);
    await expect(looking).rejects.toThrow(words);
  });
});

/** The same bytes with another length before the first box of this type. */
function withLie(bytes: Buffer, type: string, length: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(length, copy.indexOf(type, 0, 'latin1') - 4);
  return copy;
}
