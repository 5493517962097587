import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const PAGE = readFileSync('docs/for-operators/asvs.md', 'utf8');

/** How many requirements each section of ASVS 5.0.0 has at levels 1 and 2. In each they come before those of level 3. */
const SECTIONS: Readonly<Record<string, number>> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2 },
  ...{ '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2 },
  ...{ '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2 },
  ...{ '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
  ...{ '9.1': 3, '9.2': 4 },
  ...{ '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1 },
  ...{ '12.1': 3, '12.2': 2, '12.3': 4 },
  ...{ '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5 },
  ...{ '14.1': 2, '14.2': 4, '14.3': 3 },
  ...{ '15.1': 3, '15.2': 3, '15.3': 7 },
  ...{ '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3 },
};
const REQUIRED = Object.entries(SECTIONS).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
);

/** The rows of all chapters: number, requirement, and how it is met. */
const ROWS = [...PAGE.matchAll(/^\| (\d+\.\d+\.\d+) +\| (.+?) +\| (.+?) +\|$/gm)].map(
  ([, number = '', asked = '', here = '']) => ({ number, asked, here }),
);
const FILE = /`([\w./-]+\/[\w./-]+\.\w+)`/g;

describe('the table of security requirements', () => {
  it('has each requirement of levels 1 and 2 once, and others only as level 3', () => {
    expect(ROWS.filter(({ asked }) => !asked.startsWith('(level 3)')).map(({ number }) => number)).toEqual(REQUIRED);
    expect(new Set(ROWS.map(({ number }) => number)).size).toBe(ROWS.length);
    // A row that is written in another way must not go unnoticed.
    expect(PAGE.match(/^\| \d+\.\d+/gm)).toHaveLength(ROWS.length);
  });

  it('says of each whether it is met, open or not applicable, and why', () => {
    const vague = ROWS.filter(({ here }) => !/^(met|open)\b.{5}|^not applicable\b/.test(here));
    expect(vague).toEqual([]);
  });

  it('names only tests and files that are there', () => {
    const named = ROWS.flatMap(({ number, here }) =>
      [...here.matchAll(FILE)].map(([, file = '']) => ({ number, file })),
    );
    expect(named.filter(({ file }) => file.startsWith('tests/')).length).toBeGreaterThan(100);
    expect(named.filter(({ file }) => !existsSync(file))).toEqual([]);
  });
});

/** The code that runs at people's or operators', without tests. */
const SOURCES = ['contract', 'server', 'src', 'public'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|js)$/.test(name))
    .map((name) => path.join(folder, name)),
);

describe('the code', () => {
  it.each([
    ['runs text', /\beval\(|new Function\(|set(?:Timeout|Interval)\(\s*['"`]/],
    ['writes text as HTML', /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/],
    ['sends a redirect', /\breply[^;]*\.redirect\(|\.code\(30[12378]\)|['"]location['"]:/],
  ])('never %s', (_, pattern) => {
    expect(SOURCES.length).toBeGreaterThan(300);
    expect(SOURCES.filter((file) => pattern.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('listens to no messages of other windows', () => {
    // A worker, and a port between it and a page, hear from their own origin only.
    const listens = /(?:^|[^.\w])(?:(?:window|globalThis|self)\.)?(?:addEventListener\(\s*['"`]message|onmessage\s*=)/m;
    const isWorker = (file: string) =>
      ['sw', 'workers'].some((realm) => file.startsWith(path.join('src', realm))) || file.endsWith('-worker.ts');
    const pages = SOURCES.filter((file) => !isWorker(file));
    expect(pages.filter((file) => listens.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});
