import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Inline } from '#features/help/guide.ts';
import { readGuide, readGuideGroups } from '../../scripts/guides.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** Parses Markdown as a guide. */
function readText(text: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'guides-'));
  folders.push(folder);
  writeFileSync(path.join(folder, 'one.md'), text);
  return readGuide(path.join(folder, 'one.md'));
}

const getLinks = (line: readonly Inline[]) =>
  line.flatMap((part) => (typeof part === 'object' && 'to' in part ? [part.to] : []));

describe('help guides', () => {
  it('lists every file of each folder once', async () => {
    const groups = await readGuideGroups();
    expect(groups.map(({ title }) => title)).toEqual(['For performers', 'For casting']);
    const files = ['docs/for-performers', 'docs/for-casting'].map((folder) =>
      readdirSync(folder).filter((name) => name !== 'README.md'),
    );
    expect(groups.map(({ guides }) => guides.map(({ slug }) => `${slug}.md`).sort())).toEqual(
      files.map((names) => names.sort()),
    );
    const slugs = groups.flatMap(({ guides }) => guides.map(({ slug }) => slug));
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it('link only to pages that exist in the app', async () => {
    const lines = (await readGuideGroups()).flatMap(({ guides }) =>
      guides.flatMap(({ blocks }) =>
        blocks.flatMap((block) => (block.kind === 'text' ? [block.line] : block.kind === 'list' ? block.lines : [])),
      ),
    );
    const known = /^\/(help\/[a-z-]+|waiting|settings|search)$/;
    expect(lines.flatMap(getLinks).filter((to) => !known.test(to))).toEqual([]);
  });

  it('parse into plain text, bold text and links', async () => {
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
    ['a broken link', '# One\n\nSee [Two](two.md).', /two\.md leads nowhere/],
    [
      'a link to a page outside Help',
      `# One\n\nSee [a](${path.relative(tmpdir(), 'README.md')}).`,
      /leads (out of Help|nowhere)/,
    ],
    ['a picture outside public', '# One\n\n![A face](face.webp)', /face\.webp does not lie in public/],
    ['Markdown that Help cannot render', '# One\n\n| a | b |\n| - | - |\n| 1 | 2 |', /does not draw/],
    ['a missing title', 'Only words.', /has no title/],
  ])('fail the build on %s', async (_, text, message) => {
    await expect(readText(text)).rejects.toThrow(message);
  });
});
