import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { environment } from '#server/platform/environment.ts';
import { LIMIT } from '#server/platform/http/limits.ts';

const FOLDERS = ['docs', 'bench', 'contract', 'deploy', 'scripts', 'server', 'src', 'tests'];
const FILES = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, name)),
  ),
];
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** Every piece of a file, with what lies inside of lists, tables and links. */
function tokensIn(file: string): Token[] {
  const found: Token[] = [];
  // What it answers is for callbacks that wait.
  void marked.walkTokens(marked.lexer(readFileSync(file, 'utf8')), (token) => void found.push(token));
  return found;
}

/** A file or folder of the project, as the docs name it. */
const PATH = /^(?:bench|contract|deploy|docs|public|scripts|server|src|tests)\/[\w./-]+$/;
/** A name in a file, as the docs give it: `src/sync/queue/planner.ts` (`nextOps`). */
const NAME_IN_FILE = /`([\w./-]+\.tsx?)` \(`([^`]+)`\)/g;
const COMMAND = /^npm run ([\w:-]+)/;
/** A name that only code has: `nextOps`, `MediaChunk`. */
const SYMBOL = /\b[A-Za-z]+[a-z][A-Z]\w*/g;
/** These speak of other programs' settings, or of the past. */
const WITHOUT_SYMBOLS = /^(docs\/for-operators\/|CHANGELOG)/;

function readNamesInCode(): Set<string> {
  const files = ['bench', 'contract', 'scripts', 'server', 'src', 'tests'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs)$/.test(name))
      .map((name) => path.join(folder, name)),
  );
  // That test lists names which the code must not have.
  const texts = ['vite.config.ts', ...files]
    .filter((file) => file !== 'tests/unit/names.test.ts')
    .map((file) => readFileSync(file, 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/[A-Za-z]\w*/g) ?? []));
}

describe('docs', () => {
  it('name the switches of e-mail about news as Settings does', () => {
    const card = readFileSync('src/features/account/NewsMailCard.tsx', 'utf8');
    const names = [...card.matchAll(/<(?:Card|SwitchRow)\s+(?:title|label)="([^"]+)"/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(3);
    const changes = readFileSync('CHANGELOG.md', 'utf8');
    expect(names.filter((name) => !changes.includes(`"${name}"`))).toEqual([]);
  });

  it('link to what is there', () => {
    const broken = FILES.flatMap((file) =>
      tokensIn(file)
        .filter((token): token is Tokens.Link | Tokens.Image => token.type === 'link' || token.type === 'image')
        .map(({ href }) => href.replace(/#.*$/, ''))
        .filter((href) => href !== '' && !/^(https?:|mailto:|\/)/.test(href))
        .filter((href) => !existsSync(path.join(path.dirname(file), href)))
        .map((href) => `${file}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  it('name files and commands that are there', () => {
    const broken = FILES.flatMap((file) =>
      tokensIn(file)
        .filter((token): token is Tokens.Codespan => token.type === 'codespan')
        .map(({ text }) => text)
        .filter((text) => {
          const script = COMMAND.exec(text)?.[1];
          if (script !== undefined) return scripts[script] === undefined;
          return PATH.test(text) && !existsSync(text);
        })
        .map((text) => `${file}: ${text}`),
    );
    expect(broken).toEqual([]);
  });

  it('name functions and fields that their files have', () => {
    const named = FILES.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(NAME_IN_FILE)].map(([, source = '', name = '']) => ({
        file,
        source,
        name,
      })),
    );
    expect(named.length).toBeGreaterThan(5);
    const broken = named.filter(
      ({ source, name }) => PATH.test(source) && !readFileSync(source, 'utf8').includes(name),
    );
    expect(broken).toEqual([]);
  });

  it('name symbols that the code has', () => {
    const inCode = readNamesInCode();
    const named = FILES.filter((file) => !WITHOUT_SYMBOLS.test(file)).flatMap((file) =>
      tokensIn(file)
        .filter((token): token is Tokens.Codespan | Tokens.Code => token.type === 'codespan' || token.type === 'code')
        .flatMap(({ text }) => text.match(SYMBOL) ?? [])
        .map((symbol) => ({ file, symbol })),
    );
    expect(named.length).toBeGreaterThan(200);
    expect(named.filter(({ symbol }) => !inCode.has(symbol))).toEqual([]);
  });

  it('say of each folder what it is responsible for, and where to start', () => {
    const folders = ['bench', 'contract', 'deploy', 'scripts', 'server', 'src', 'tests'];
    const inner = ['server', 'src'].flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => path.join(folder, name)),
    );
    expect([...folders, ...inner].filter((folder) => !existsSync(path.join(folder, 'README.md')))).toEqual([]);
  });

  it('explain every setting and every rate limit to operators', () => {
    const guide = readFileSync('docs/for-operators/operating.md', 'utf8');
    const settings = Object.keys(environment.shape);
    expect(settings.length).toBeGreaterThan(30);
    const names = [...settings, ...Object.values(LIMIT).map(({ name }) => name)];
    expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });

  it('lead from each index to every page beside it', () => {
    for (const name of ['for-performers', 'for-casting', 'for-operators', 'for-developers', 'decisions']) {
      const folder = `docs/${name}`;
      const named = tokensIn(`${folder}/README.md`).flatMap((token) =>
        token.type === 'link' ? [(token as Tokens.Link).href] : [],
      );
      const pages = readdirSync(folder);
      expect([folder, pages.filter((page) => page !== 'README.md' && !named.includes(page))]).toEqual([folder, []]);
    }
  });
});
