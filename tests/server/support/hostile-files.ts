import type { MediaType } from '#contract/media-types.ts';
import { avi, box, doc, docx, m4a, mp3, mp4, ogg, packedObject, pdf, wav, webm, zip } from './media-files.ts';

type Kind = Exclude<MediaType, 'image'>;

const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 500);
const many = Buffer.concat([mp4(), ...Array.from({ length: 25_000 }, () => box('free'))]);
const words = Buffer.alloc(8 * 150_000, box('udta'));
const CLUSTER = Buffer.from('1f43b675', 'hex');
const liveWebm = webm({ isLive: true });
const manyElements = Buffer.concat([liveWebm, Buffer.alloc(5_000_000, Buffer.from([0xec, 0x80]))]);
/** The length of an element begins with a bit that says how many bytes it has. */
function withoutLength(bytes: Buffer, id: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(0, copy.indexOf(id) + id.length);
  return copy;
}
/** Compressed with a wrong checksum. Many viewers show such a stream anyway. */
const withWrongChecksum = (dictionary: string, content: string) => {
  const bytes = packedObject(dictionary, content);
  bytes[bytes.indexOf('\nendstream') - 1]! ^= 1;
  return bytes;
};
const heavy = withWrongChecksum('', 'x'.repeat(30_000_000));
const CUT_OFF = /incomplete/;
const DAMAGED = /damaged/;
const ACTS = /contains scripts or other files/;
const CARRIES = /contains macros or other files/;
const FETCHES = /loads parts from the internet/;
const HIDES = /hides/;
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationship = (type: string, target: string, mode = 'Internal') =>
  `<Relationships><Relationship Id="r1" Type="${OFFICE}/${type}" Target="${target}" TargetMode="${mode}"/></Relationships>`;
const related = (xml: string | Buffer) => docx({ 'word/_rels/document.xml.rels': xml });
const bigEndian = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
const withEmbedded = (name: string) => docx({ [`word/embeddings/${name}`]: 'x' });
const objectStream = (dictionary: string) =>
  pdf(`4 0 obj\n<< ${dictionary} /Type /ObjStm >>\nstream\n78\nendstream\nendobj\n`);
/** Compressed, with these bytes between the keyword `stream` and the content. */
const packedAfter = (gap: string) => {
  const object = packedObject('/Type /ObjStm', '<< /S /JavaScript >>').toString('latin1');
  return pdf(Buffer.from(object.replace('stream\n', `stream${gap}`), 'latin1'));
};

/** Files of a wrong type or with hidden behavior: the kind each is sent as and the expected error. */
export const HOSTILE: [name: string, kind: Kind, bytes: Buffer, error: RegExp][] = [
  ['a picture as a video', 'video', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /Only .MP4/],
  ['a PDF as a recording', 'audio', pdf(), /Only .MP3/],
  ['a web page as a document', 'document', Buffer.from('<!doctype html><script>alert(1)</script>'), /Only .doc/],
  ['an empty file', 'video', Buffer.alloc(0), /Only .MP4/],
  ['a truncated MP4', 'video', cut(mp4()), CUT_OFF],
  [
    'an MP4 without its moov box',
    'video',
    Buffer.concat([mp4().subarray(0, 20), box('mdat', Buffer.alloc(9))]),
    CUT_OFF,
  ],
  ['an MP4 with sound only', 'video', mp4({ handler: 'soun' }), /no moving picture/],
  ['an MP4 without dimensions', 'video', mp4({ width: 0 }), /no moving picture/],
  ['an MP4 with a box longer than its parent', 'video', withLie(mp4(), 'tkhd', 0x7fffffff), DAMAGED],
  ['an MP4 with a box shorter than its header', 'video', withLie(mp4(), 'mdia', 3), DAMAGED],
  ['an MP4 with an excessive number of tiny boxes', 'video', many, DAMAGED],
  ['an MP4 with oversized metadata', 'video', withinMovie(mp4(), words), DAMAGED],
  ['a truncated AVI', 'video', cut(avi()), CUT_OFF],
  ['an AVI without dimensions', 'video', avi({ width: 0 }), DAMAGED],
  ['a truncated WebM', 'video', cut(webm()), CUT_OFF],
  ['a WebM without pictures', 'video', liveWebm.subarray(0, liveWebm.indexOf(CLUSTER)), CUT_OFF],
  ['a WebM with sound only', 'video', webm({ codec: 'A_OPUS', trackType: 2 }), /no moving picture/],
  ['a WebM without dimensions', 'video', webm({ width: 0 }), /no moving picture/],
  ['a WebM with pictures that few browsers play', 'video', webm({ codec: 'V_THEORA' }), /does not play in every/],
  ['a WebM with a length that nothing can have', 'video', withoutLength(webm(), CLUSTER), DAMAGED],
  ['a WebM with an excessive number of tiny parts', 'video', manyElements, DAMAGED],
  ['a WAV without sound', 'audio', wav(0), DAMAGED],
  ['a truncated PDF', 'document', cut(Buffer.concat([pdf(), Buffer.alloc(400, 32)])), DAMAGED],
  ['a PDF followed by an archive', 'document', Buffer.concat([pdf(), docx()]), DAMAGED],
  ['a PDF with a script', 'document', pdf('4 0 obj\n<< /S /JavaScript /JS (app.alert(1)) >>\nendobj\n'), ACTS],
  ['a PDF with a script in an escaped name', 'document', pdf('4 0 obj\n<< /S /J#61vaScript >>\nendobj\n'), ACTS],
  ['a PDF with a compressed script', 'document', pdf(packedObject('/Type /ObjStm', '<< /S /JavaScript >>')), ACTS],
  ['a PDF with a file inside', 'document', pdf('4 0 obj\n<< /Type /EmbeddedFile >>\nendobj\n'), ACTS],
  ['a PDF that starts a program', 'document', pdf('4 0 obj\n<< /S /Launch /F (cmd.exe) >>\nendobj\n'), ACTS],
  [
    'a PDF that hides its objects',
    'document',
    pdf('4 0 obj\n<< /Type /ObjStm /Filter [/ASCIIHexDecode /FlateDecode] >>\nstream\n78\nendstream\nendobj\n'),
    /hides/,
  ],
  [
    'a PDF with the filter before the type of hidden objects',
    'document',
    pdf('4 0 obj\n<< /Filter /AHx /Type /Obj#53tm >>\nstream\n78\nendstream\nendobj\n'),
    /hides/,
  ],
  [
    'a PDF with a script in a stream with a wrong checksum',
    'document',
    pdf(withWrongChecksum('/Type /ObjStm', '<< /S /JavaScript >>')),
    ACTS,
  ],
  [
    'a PDF that is a decompression bomb with wrong checksums',
    'document',
    pdf(heavy, heavy, heavy, heavy, heavy),
    /too large when unpacked/,
  ],
  ['a PDF with an excessive number of streams', 'document', pdf('stream\nx\u009c'.repeat(25_000)), /too many parts/],
  [
    'a PDF that is a decompression bomb',
    'document',
    pdf(packedObject('', 'x'.repeat(40_000_000))),
    /too large when unpacked/,
  ],
  ['a PDF with a script followed by a NUL', 'document', pdf('4 0 obj\n<< /S /JavaScript\0 >>\nendobj\n'), ACTS],
  ['a PDF with a rendition', 'document', pdf('4 0 obj\n<< /S /Rendition /JS (app.alert(1)) >>\nendobj\n'), ACTS],
  ['a PDF with a compressed script after a lone CR', 'document', packedAfter('\r'), ACTS],
  ['a PDF with a compressed script after a space', 'document', packedAfter(' \r\n'), ACTS],
  ['a PDF compressed twice', 'document', objectStream('/Filter [/FlateDecode /FlateDecode]'), HIDES],
  ['a PDF with its filter in another object', 'document', objectStream('/Filter 5 0 R'), HIDES],
  ['a PDF with a filter list in another object', 'document', objectStream('/Filter [5 0 R]'), HIDES],
  [
    'a PDF with parameters in another object',
    'document',
    objectStream('/Filter /FlateDecode /DecodeParms 5 0 R'),
    HIDES,
  ],
  ['a PDF with two filter entries', 'document', objectStream('/Filter /FlateDecode /Fi#6cter /AHx'), HIDES],
  ['a PDF with a misleading note in an object', 'document', objectStream('/Filter 5 0 R /Note (<<)'), HIDES],
  ['an encrypted PDF', 'document', pdf('trailer\n<< /Encrypt 5 0 R >>\n'), /has a password/],
  ['a Word document with macros', 'document', docx({ 'word/vbaProject.bin': 'x' }), /macros/],
  ['a Word document with an embedded program', 'document', withEmbedded('oleObject1.bin'), CARRIES],
  ...['open me.lnk', 'page.hta', 'book.xlsm', 'setup.exe', 'again.docm', 'no-extension'].map(
    (name): (typeof HOSTILE)[number] => [
      `a Word document with ${name} embedded`,
      'document',
      withEmbedded(name),
      CARRIES,
    ],
  ),
  [
    'a Word document with an external object',
    'document',
    related(relationship('oleObject', 'https://example.org/a', 'External')),
    CARRIES,
  ],
  [
    'a Word document with an external picture',
    'document',
    related(relationship('image', 'https://example.org/a.png', 'External')),
    FETCHES,
  ],
  [
    'a Word document with an external template, in UTF-16',
    'document',
    related(
      Buffer.from(`\ufeff${relationship('attachedTemplate', 'https://example.org/a.dotm', 'External')}`, 'utf16le'),
    ),
    CARRIES,
  ],
  [
    'a Word document with an external object, in big-endian UTF-16',
    'document',
    related(bigEndian(relationship('oleObject', 'https://example.org/a', 'External'))),
    CARRIES,
  ],
  [
    'a Word document with relationships in an unusual encoding',
    'document',
    related(`<?xml version="1.0" encoding="utf-7"?>${relationship('image', 'a.png')}`),
    DAMAGED,
  ],
  [
    'a Word document with custom entities',
    'document',
    related(`<!DOCTYPE r [<!ENTITY t "oleObject">]>${relationship('image', 'a.png')}`),
    DAMAGED,
  ],
  [
    'a Word document with a truncated relationship',
    'document',
    related(relationship('image', 'a.png').slice(0, -10)),
    DAMAGED,
  ],
  [
    'a Word document with an external template',
    'document',
    docx({
      'word/_rels/settings.xml.rels':
        '<Relationship Type="x/attachedTemplate" Target="https://example.org/a.dotm" TargetMode="External"/>',
    }),
    /macros/,
  ],
  ['a Word document with path traversal', 'document', docx({ '../../etc/passwd': 'x' }), DAMAGED],
  [
    'a Word document with a false size',
    'document',
    docx({ 'word/media/a.png': 'xx' }, { 'word/media/a.png': 1 }),
    DAMAGED,
  ],
  [
    'a Word document that is a decompression bomb',
    'document',
    docx({ 'word/media/a.png': 'x' }, { 'word/media/a.png': 200_000_000 }),
    /too large when unpacked/,
  ],
  [
    'a Word document of thousands of parts',
    'document',
    docx(Object.fromEntries(Array.from({ length: 2100 }, (_, n) => [`word/media/${n}.png`, '']))),
    /too large when unpacked/,
  ],
  ['a Word document without a document part', 'document', docx({ '[Content_Types].xml': '<Types/>' }), /Only .doc/],
  ['an old Word document with macros', 'document', doc('Macros', '_VBA_PROJECT'), /macros/],
  ['an old spreadsheet', 'document', doc().fill(0, 640, 768), DAMAGED],
  [
    'a web page with a PDF in it',
    'document',
    Buffer.concat([Buffer.from('<script>alert(1)</script>'), pdf()]),
    /Only .doc/,
  ],
  [
    'a web page with a Word document behind it',
    'document',
    Buffer.concat([Buffer.from('<html><script>alert(1)</script>'), docx()]),
    /Only .doc/,
  ],
  ['an archive', 'document', zip({ 'a.txt': 'x' }), /Only .doc/],
  [
    'a picture that is a script',
    'document',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    /Only .doc/,
  ],
  ['an RTF document', 'document', Buffer.from('{\\rtf1 Hello}'), /Only .doc/],
  ['a GIF that is also JavaScript', 'video', Buffer.from('GIF89a/*\0\0*/=alert(1);//'), /Only .MP4/],
  ['a program', 'video', Buffer.from('MZ\u0090\0\u0003\0\0\0PE\0\0', 'latin1'), /Only .MP4/],
  [
    'a video in a Matroska container',
    'video',
    Buffer.from('1a45dfa3a34286810142f7810142f2810442f381084282886d6174726f736b614287810442858102', 'hex'),
    /Only .MP4/,
  ],
  ['a recording as a video', 'video', mp3(), /Only .MP4/],
  [
    'a program as a recording',
    'audio',
    Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(200)]),
    /Only .MP3/,
  ],
  ['a FLAC recording', 'audio', Buffer.from('fLaC\0\0\0\u0022', 'latin1'), /Only .MP3/],
  [
    'a WAV that is something else',
    'audio',
    Buffer.concat([wav(1).subarray(0, 12), Buffer.from('<?php system($_GET[0]);')]),
    DAMAGED,
  ],
  ['a video as a recording', 'audio', mp4(), /has a moving picture/],
  ['a voice memo with a track of pictures', 'audio', m4a({ tracks: ['soun', 'vide'] }), /has a moving picture/],
  ['a lossless voice memo', 'audio', m4a({ codec: 'alac' }), /does not play in every browser/],
  ['an MP3 in the container of a voice memo', 'audio', m4a({ objectType: 0x6b }), /does not play in every browser/],
  ['a voice memo without sound', 'audio', m4a({ tracks: [] }), DAMAGED],
  ['a truncated voice memo', 'audio', m4a().subarray(0, 1000), CUT_OFF],
  ['a voice memo as a video', 'video', m4a(), /Only .MP4/],
  ['an Ogg with a truncated header', 'audio', ogg().subarray(0, 40), DAMAGED],
];

/** Adds boxes to the moov box of a video. */
function withinMovie(bytes: Buffer, boxes: Buffer): Buffer {
  const start = bytes.indexOf('moov', 0, 'latin1') - 4;
  const end = start + bytes.readUInt32BE(start);
  const movie = Buffer.concat([bytes.subarray(start, end), boxes]);
  movie.writeUInt32BE(movie.length);
  return Buffer.concat([bytes.subarray(0, start), movie, bytes.subarray(end)]);
}

/** Replaces the length of the first box of this type. */
function withLie(bytes: Buffer, type: string, length: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32BE(length, copy.indexOf(type, 0, 'latin1') - 4);
  return copy;
}
