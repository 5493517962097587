import { expect, test, vi } from 'vitest';
import { readRange } from '#server/features/media/byte-range.ts';
import { readCreation, readMetadata, wholeNumber } from '#server/features/uploads/protocol.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const id = '0b0e7a52-6a53-4d8a-9c0f-3c4f4bd0b9a1';
const MB = 1024 * 1024;

test.each([
  ['0', 0],
  ['10485760', 10_485_760],
  ['', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['0x10', null],
  [' 1', null],
  ['99999999999999999999', null],
  [['1', '2'], null],
  [undefined, null],
])('parses the header %j as the integer %j', (header, expected) => {
  expect(wholeNumber(header)).toBe(expected);
});

test('parses metadata pairs of key and base64 value and rejects anything else', () => {
  expect(readMetadata(`id ${base64(id)}, filename ${base64('Ödön.jpg')},draft`)).toEqual(
    new Map([
      ['id', id],
      ['filename', 'Ödön.jpg'],
      ['draft', ''],
    ]),
  );
  expect(readMetadata(undefined)).toEqual(new Map());
  for (const broken of ['', ',', 'id', `id ${base64(id)} more`, 'id <script>', `id ${base64(id)},id ${base64(id)}`]) {
    expect(readMetadata(broken)?.get('id') ?? '').toBe('');
  }
});

test('reads id and length of a creation', () => {
  const headers = { 'upload-length': '5', 'upload-metadata': `id ${base64(id.toUpperCase())}` };
  expect(readCreation(headers, () => MB)).toEqual({ ok: true, value: { id, lengthBytes: 5 } });
});

test('limits a creation by the name and type that the sender gives', () => {
  const pairs = [`id ${base64(id)}`, `filename ${base64('Ödön.mov')}`, `filetype ${base64('video/quicktime')}`];
  const getMaxBytes = vi.fn(() => 5);
  const create = (length: number, metadata?: string) =>
    readCreation({ 'upload-length': String(length), 'upload-metadata': metadata }, getMaxBytes);
  expect(create(5, pairs.join(','))).toMatchObject({ ok: true });
  expect(create(6, pairs.join(','))).toMatchObject({ ok: false, status: 413 });
  expect(create(6)).toMatchObject({ ok: false, status: 413 });
  expect(getMaxBytes.mock.calls).toEqual([
    [{ name: 'Ödön.mov', type: 'video/quicktime' }],
    [{ name: 'Ödön.mov', type: 'video/quicktime' }],
    [{ name: '', type: '' }],
  ]);
});

test.each([
  [{}, 422, 'Upload-Length'],
  [{ 'upload-length': '0' }, 422, 'Upload-Length'],
  [{ 'upload-length': '-5' }, 422, 'Upload-Length'],
  [{ 'upload-length': String(MB + 1) }, 413, 'Upload-Length'],
  [{ 'upload-defer-length': '1' }, 422, 'Upload-Defer-Length'],
  [{ 'upload-length': '5' }, 422, 'id'],
  [{ 'upload-length': '5', 'upload-metadata': 'id' }, 422, 'id'],
  [{ 'upload-length': '5', 'upload-metadata': `id ${base64('../../etc/passwd')}` }, 422, 'id'],
  [{ 'upload-length': '5', 'upload-metadata': `id ${base64(`${id}/..`)}` }, 422, 'id'],
  [{ 'upload-length': '5', 'upload-metadata': 'id ***' }, 422, 'Upload-Metadata'],
])('rejects the creation %j with %i for %s', (headers, status, field) => {
  const read = readCreation(headers, () => MB);
  expect(read).toMatchObject({ ok: false, status });
  expect(Object.keys(read.ok ? {} : read.errors)).toEqual([field]);
});

test.each([
  [undefined, 'whole'],
  ['bytes=0-3', { start: 0, end: 3 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=4-99', { start: 4, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=9-9', { start: 9, end: 9 }],
  ['bytes=10-', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=5-4', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['lines=0-1', 'whole'],
  ['bytes=999999999999999999999-', 'whole'],
])('reads the range %j of ten bytes as %j', (header, expected) => {
  expect(readRange(header, 10)).toEqual(expected);
});
