import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';

/** A PDF as a program for scripts writes it. */
export async function scriptPdf(pages: number): Promise<Buffer> {
  const script = new PDFDocument({
    pdfVersion: '1.7',
    tagged: false,
    displayTitle: true,
    lang: 'en',
    size: [595, 842],
    margin: 50,
    autoFirstPage: false,
    bufferPages: false,
    font: null,
    compress: true,
    info: { Title: 'Scene 14' },
  });
  const parts: Uint8Array[] = [];
  script.on('data', (bytes) => parts.push(bytes));
  const ended = new Promise<void>((resolve) => script.on('end', resolve));
  for (let page = 0; page < pages; page += 1) script.addPage().rect(50, 50, 400, 10).fill('#000000');
  script.end();
  await ended;
  return Buffer.concat(parts);
}

const latin = (text: string) => Buffer.from(text, 'latin1');

/** A stream object. */
export function streamObject(number: number, dictionary: string, content: string): Buffer {
  const packed = deflateSync(latin(content));
  const head = `${number} 0 obj\n<< ${dictionary} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
  return Buffer.concat([latin(head), packed, latin('\nendstream\nendobj\n')]);
}

/** An object stream, which holds other objects by their numbers. */
export function objectStream(number: number, objects: Record<number, string>): Buffer {
  const entries = Object.entries(objects);
  let offset = 0;
  const heads = entries.map(([each, body]) => {
    const head = `${each} ${offset}`;
    offset += body.length + 1;
    return head;
  });
  const head = `${heads.join(' ')}\n`;
  const content = head + entries.map(([, body]) => body).join('\n');
  return streamObject(number, `/Type /ObjStm /N ${entries.length} /First ${head.length}`, content);
}

/** A PDF of which all pages are in an object stream, as word processors write it. */
export function packedPdf(pages: number): Buffer {
  const numbers = Array.from({ length: pages }, (_, index) => 10 + index);
  const kids = numbers.map((number) => `${number} 0 R`).join(' ');
  return Buffer.concat([
    latin('%PDF-1.7\n'),
    objectStream(5, {
      1: '<</Type/Catalog/Pages 2 0 R>>',
      2: `<</Type/Pages/Count ${pages}/Kids[${kids}]>>`,
      ...Object.fromEntries(numbers.map((number) => [number, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>'])),
    }),
    streamObject(6, '/Type /XRef /Size 7 /W [1 2 1] /Root 1 0 R', ''),
    latin('startxref\n9\n%%EOF\n'),
  ]);
}
