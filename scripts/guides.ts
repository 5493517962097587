/**
 * Parses the guides in `docs/for-performers` and `docs/for-casting` into data that the app renders under Help. The README of each
 * folder lists its guides in order. The build fails on Markdown that the app cannot render, a broken link or a missing picture.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import sharp from 'sharp';
import type { Plugin } from 'vite';
import type { Block, Guide, Inline, GuideGroup } from '#features/help/guide.ts';

const FOLDERS = ['docs/for-performers', 'docs/for-casting'] as const;
const MODULE = 'virtual:guides';
/** Resolution of the screenshots in device pixels per CSS pixel. */
const PIXEL_RATIO = 2;

const marked = new Marked();

/** A guide has content that the app cannot show. */
class GuideError extends Error {
  override name = 'GuideError';
  constructor(file: string, message: string) {
    super(`${file}: ${message}`);
  }
}

/** Converts a link in a guide to a path in the app: another guide, or a page of the app. */
function toAppPath(file: string, href: string): string {
  if (href.startsWith('/')) return href;
  const other = path.join(path.dirname(file), href);
  if (!existsSync(other)) throw new GuideError(file, `the link ${href} leads nowhere`);
  if (path.dirname(other) !== path.dirname(file) && !FOLDERS.some((folder) => folder === path.dirname(other))) {
    throw new GuideError(file, `the link ${href} leads out of Help`);
  }
  return `/help/${path.basename(other, '.md')}`;
}

function toInlines(file: string, tokens: readonly Token[] | undefined): Inline[] {
  return (tokens ?? []).flatMap((token): Inline[] => {
    switch (token.type) {
      case 'text':
        return 'tokens' in token && token.tokens ? toInlines(file, token.tokens) : [(token as Tokens.Text).text];
      case 'escape':
        return [(token as Tokens.Escape).text];
      case 'strong':
        return [{ strong: (token as Tokens.Strong).text }];
      case 'link': {
        const { href, text } = token as Tokens.Link;
        return [{ link: text, to: toAppPath(file, href) }];
      }
      default:
        throw new GuideError(file, `Help does not draw “${token.raw}” (${token.type})`);
    }
  });
}

async function toPicture(file: string, { href, text }: Tokens.Image): Promise<Block> {
  const source = path.join(path.dirname(file), href);
  if (!source.startsWith(`public${path.sep}`)) throw new GuideError(file, `the picture ${href} does not lie in public`);
  if (!existsSync(source)) throw new GuideError(file, `the picture ${href} is missing: run npm run screenshots`);
  const { width, height } = await sharp(source).metadata();
  const [shownWidth, shownHeight] = [width, height].map((pixels) => Math.round(pixels / PIXEL_RATIO));
  const src = `/${path.relative('public', source).split(path.sep).join('/')}`;
  return { kind: 'picture', src, alt: text, width: shownWidth ?? 0, height: shownHeight ?? 0 };
}

async function toBlock(file: string, token: Token): Promise<Block | null> {
  switch (token.type) {
    case 'space':
      return null;
    case 'heading':
      return { kind: 'heading', text: (token as Tokens.Heading).text };
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      return { kind: 'list', isNumbered: ordered, lines: items.map((item) => toInlines(file, item.tokens)) };
    }
    case 'paragraph': {
      const { tokens } = token as Tokens.Paragraph;
      const [only] = tokens;
      if (tokens.length === 1 && only?.type === 'image') return toPicture(file, only as Tokens.Image);
      return { kind: 'text', line: toInlines(file, tokens) };
    }
    default:
      throw new GuideError(file, `Help does not draw “${token.raw}” (${token.type})`);
  }
}

/** Parses a file whose first heading is the title. Throws a GuideError if Help cannot render it. */
export async function readGuide(file: string): Promise<{ title: string; blocks: Block[] }> {
  const [first, ...others] = await Promise.all(
    marked.lexer(readFileSync(file, 'utf8')).map((token) => toBlock(file, token)),
  );
  if (first?.kind !== 'heading') throw new GuideError(file, 'it has no title');
  return { title: first.text, blocks: others.filter((block) => block !== null) };
}

async function readGuideGroup(folder: string): Promise<GuideGroup> {
  const { title, blocks } = await readGuide(path.join(folder, 'README.md'));
  const listed = blocks.flatMap((block) => (block.kind === 'list' ? block.lines.flat() : []));
  const slugs = listed.flatMap((piece) =>
    typeof piece === 'object' && 'to' in piece ? [path.basename(piece.to)] : [],
  );
  const guides = slugs.map(async (slug): Promise<Guide> => ({
    slug,
    ...(await readGuide(path.join(folder, `${slug}.md`))),
  }));
  return { title, guides: await Promise.all(guides) };
}

/** Parses all guides, grouped by audience. Throws a GuideError that names the file. */
export const readGuideGroups = (): Promise<GuideGroup[]> => Promise.all(FOLDERS.map(readGuideGroup));

/** Lets the app import `virtual:guides`. */
export const guides: Plugin = {
  name: 'guides',
  resolveId: (source) => (source === MODULE ? `\0${MODULE}` : undefined),
  load: async (id) =>
    id === `\0${MODULE}` ? `export const GUIDE_GROUPS = ${JSON.stringify(await readGuideGroups())};` : undefined,
};
