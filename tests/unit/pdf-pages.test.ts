import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countPdfPages, isEncryptedPdf } from '#contract/casting/pdf-pages.ts';
import { objectStream, packedPdf, scriptPdf } from '../support/script-pdf.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const pdfOf = (...objects: (string | Buffer)[]) =>
  Buffer.concat(
    ['%PDF-1.7\n', ...objects, 'trailer\n<< /Root 1 0 R >>\n%%EOF\n'].map((part) =>
      typeof part === 'string' ? latin(part) : part,
    ),
  );
const object = (number: number, body: string) => `${number} 0 obj\n${body}\nendobj\n`;

const count = (bytes: Buffer) =>
  countPdfPages({
    text: bytes.toString('latin1'),
    unpack: (start, end) => Promise.resolve(inflateSync(bytes.subarray(start, end)).toString('latin1')),
  });

const CATALOG = object(1, '<< /Type /Catalog /Pages 2 0 R >>');
const PAGE = '<< /Type /Page /Parent 2 0 R >>';

describe('the pages of a PDF', () => {
  it.each([1, 8, 201])('are counted in a script of %i', async (pages) => {
    expect(await count(await scriptPdf(pages))).toBe(pages);
  });

  it('are counted where they are compressed with other objects', async () => {
    expect(await count(packedPdf(12))).toBe(12);
  });

  it('are those of the tree, through all its levels', async () => {
    const tree = [
      CATALOG,
      object(2, '<< /Type /Pages /Count 3 /Kids [3 0 R 4 0 R] >>'),
      object(3, '<< /Kids 9 0 R /Type /Pages >>'),
      object(4, PAGE),
      object(5, PAGE),
      object(6, PAGE),
      object(9, '[5 0 R 6 0 R]'),
    ];
    expect(await count(pdfOf(...tree))).toBe(3);
  });

  it('leave out those that were removed or replaced later', async () => {
    const first = [CATALOG, object(2, '<< /Type /Pages /Kids [3 0 R 4 0 R] >>'), object(3, PAGE), object(4, PAGE)];
    const note = object(3, '<< /Type /Page /Parent 2 0 R /Annots [] >>');
    expect(await count(pdfOf(...first, note))).toBe(2);
    expect(await count(pdfOf(...first, object(2, '<< /Type /Pages /Kids [3 0 R] >>')))).toBe(1);
    expect(await count(pdfOf(...first, objectStream(7, { 2: '<</Type/Pages/Kids[4 0 R]>>' })))).toBe(1);
  });

  it('end, also where a tree contains itself', async () => {
    const tree = [CATALOG, object(2, '<< /Type /Pages /Kids [2 0 R 3 0 R 3 0 R] >>'), object(3, PAGE)];
    expect(await count(pdfOf(...tree))).toBe(1);
  });

  it('are looked for where the tree is damaged', async () => {
    expect(await count(pdfOf(object(3, PAGE), object(4, PAGE), object(5, '<< /Type /Pages >>')))).toBe(2);
    expect(await count(latin('%PDF-1.7\n%%EOF\n'))).toBe(0);
  });

  it('are not looked for in what is drawn on them', async () => {
    const drawn = `8 0 obj\n<< /Length 60 >>\nstream\n7 0 obj ${PAGE} endobj\nendstream\nendobj\n`;
    expect(await count(pdfOf(object(3, PAGE), drawn))).toBe(1);
  });
});

it('tells whether a PDF has a password', () => {
  expect(isEncryptedPdf('trailer << /Encrypt 5 0 R >>')).toBe(true);
  expect(isEncryptedPdf('<< /EncryptMetadata true >>')).toBe(false);
});
