import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Inline } from '#features/help/guide.ts';
import { readGuide, readShelves } from '../../scripts/guides.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** Reads markdown as a guide of its own. */
function readText(text: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'guides-'));
  folders.push(folder);
  writeFileSync(path.join(folder, 'one.md'), text);
  return readGuide(path.join(folder, 'one.md'));
}

const linksOf = (line: readonly Inline[]) =>
  line.flatMap((piece) => (typeof piece === 'object' && 'to' in piece ? [piece.to] : []));

describe('guides', () => {
  it('lists every file of a folder once, in the order of its README', async () => {
    const shelves = await readShelves();
    expect(shelves.map(({ title }) => title)).toEqual(['For performers', 'For casting']);
    const files = ['docs/for-performers', 'docs/for-casting'].map((folder) =>
      readdirSync(folder).filter((name) => name !== 'README.md'),
    );
    expect(shelves.map(({ guides }) => guides.map(({ slug }) => `${slug}.md`).sort())).toEqual(
      files.map((names) => names.sort()),
    );
    const slugs = shelves.flatMap(({ guides }) => guides.map(({ slug }) => slug));
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it('link to pages that the app has', async () => {
    const lines = (await readShelves()).flatMap(({ guides }) =>
      guides.flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.kind === 'text' ? [block.line] : block.kind === 'list' ? block.lines : [])),
      ),
    );
    const known = /^\/(help\/[a-z-]+|waiting|settings|search)$/;
    expect(lines.flatMap(linksOf).filter((to) => !known.test(to))).toEqual([]);
  });

  it('keep words, strong words and links apart', async () => {
    const { blocks } = await readText(
      '# One\n\nTap **+** & see [One](one.md) or [Settings](/settings).\n\n1. First\n2. Second',
    );
    expect(blocks).toEqual([
      {
        kind: 'text',
        line: [
          'Tap ',
          { strong: '+' },
          ' & see ',
          { link: 'One', to: '/help/one' },
          ' or ',
          { link: 'Settings', to: '/settings' },
          '.',
        ],
      },
      { kind: 'list', isNumbered: true, lines: [['First'], ['Second']] },
    ]);
  });

  it.each([
    ['a link that leads nowhere', '# One\n\nSee [Two](two.md).', /two\.md leads nowhere/],
    [
      'a link that leads out of Help',
      `# One\n\nSee [a](${path.relative(tmpdir(), 'README.md')}).`,
      /leads (out of Help|nowhere)/,
    ],
    ['a picture that is not in public', '# One\n\n![A face](face.webp)', /face\.webp does not lie in public/],
    ['what Help does not draw', '# One\n\n| a | b |\n| - | - |\n| 1 | 2 |', /does not draw/],
    ['no title', 'Only words.', /has no title/],
  ])('stop the build at %s', async (_, text, message) => {
    await expect(readText(text)).rejects.toThrow(message);
  });
});
