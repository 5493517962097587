import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { content, credits, make, row } from './support/cv.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cv-'));
const run = (command: string, args: string[]) => spawnSync(command, args, { encoding: 'utf8' });
const isInstalled = () =>
  run('pdftotext', ['-v']).error === undefined && run('qpdf', ['--version']).error === undefined;

beforeAll(() => {
  if (isInstalled()) return;
  const install = () => run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'poppler-utils', 'qpdf']);
  if (install().status !== 0) {
    run('apt-get', ['update', '-qq']);
    install();
  }
  if (!isInstalled())
    throw new Error('This test reads PDFs with poppler and qpdf: sudo apt-get install poppler-utils qpdf');
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

const HINDI = ['मीरा कुलकर्णी', 'हिन्दी', 'क्षत्रिय', 'विद्यार्थी', 'श्रीमती शक्ति', 'निर्देशक', 'सत्यमेव जयते'];

async function write(): Promise<string> {
  const rows = HINDI.map((middle, at) =>
    row({ when: String(2026 - at), title: `Film ${at + 1}`, middle, right: 'Dir. Rao' }),
  );
  const { pdf } = await make(content({ name: `Meera ${HINDI[0]}`, parts: [credits(rows)] }));
  const file = path.join(folder, 'cv.pdf');
  writeFileSync(file, pdf);
  return file;
}

describe('the text of a CV, taken out by poppler', () => {
  const expected = HINDI.map((middle, at) => `${2026 - at} Film ${at + 1} ${middle} Dir. Rao`);

  test.each([['-layout'], ['-raw']])('stands in its rows: %s', async (mode) => {
    const { stdout, status } = run('pdftotext', [mode, await write(), '-']);
    expect(status).toBe(0);
    const lines = stdout.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
    expect(lines[0]).toBe(`Meera ${HINDI[0]}`);
    expect(lines.filter((line) => /Film \d/.test(line))).toEqual(expected);
  });

  test('comes in reading order without a mode', async () => {
    const { stdout } = run('pdftotext', [await write(), '-']);
    const found = HINDI.map((word, at) => [stdout.indexOf(`Film ${at + 1}`), stdout.lastIndexOf(word)]).flat();
    expect(found).not.toContain(-1);
    expect([...found].sort((a, b) => a - b)).toEqual(found);
  });
});

describe('a CV, checked by qpdf and poppler', () => {
  test('has no error of syntax, and all its fonts in it', async () => {
    const file = await write();
    expect(run('qpdf', ['--check', file]).stdout).toContain('No syntax or stream encoding errors found');
    expect(run('pdfinfo', [file]).stdout).toMatch(/Tagged: +yes/);
    const fonts = run('pdffonts', [file]).stdout.trim().split('\n').slice(2);
    expect(fonts.length).toBeGreaterThanOrEqual(4);
    for (const font of fonts) expect(font).toMatch(/NotoSans-\w+ +CID TrueType +Identity-H +yes yes yes/);
  });
});
