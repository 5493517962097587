/**
 * `npm run house`: how easy the code is to inherit, in numbers, each beside what is aimed at. Prints one table; nothing fails
 * by it, for most of them are on their way.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser';
import { projectRoot } from '#server/platform/paths.ts';

interface Count {
  what: string;
  now: string;
  target: string;
}

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(projectRoot, path.join(entry.parentPath, entry.name)));
const textOf = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');

/** Lines that a pattern meets, and the files they are in. */
function linesWith(pattern: RegExp, files: readonly string[]): string {
  const found = files.map(
    (file) =>
      textOf(file)
        .split('\n')
        .filter((line) => pattern.test(line)).length,
  );
  const lines = found.reduce((all, one) => all + one, 0);
  return lines === 0 ? 'none' : `${lines} in ${found.filter((one) => one > 0).length} files`;
}

const folderOf = (file: string, depth: number) => file.split('/').slice(0, depth).join('/');

/** Strongly connected parts of more than one, by Tarjan's algorithm: how many, and how large. */
function loopsOf(arrows: ReadonlyMap<string, ReadonlySet<string>>): number[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const sizes: number[] = [];
  const visit = (at: string) => {
    index.set(at, index.size);
    low.set(at, index.get(at)!);
    stack.push(at);
    for (const next of arrows.get(at) ?? []) {
      if (!index.has(next)) {
        visit(next);
        low.set(at, Math.min(low.get(at)!, low.get(next)!));
      } else if (stack.includes(next)) low.set(at, Math.min(low.get(at)!, index.get(next)!));
    }
    if (low.get(at) !== index.get(at)) return;
    const part = stack.splice(stack.indexOf(at));
    if (part.length > 1) sizes.push(part.length);
  };
  for (const at of arrows.keys()) if (!index.has(at)) visit(at);
  return sizes.sort((a, b) => b - a);
}

function arrowsBetween(modules: readonly IModule[], nameOf: (file: string) => string | null): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = nameOf(source);
    if (from === null) continue;
    const to = dependencies.flatMap(({ resolved }) => nameOf(resolved) ?? []).filter((name) => name !== from);
    arrows.set(from, new Set([...(arrows.get(from) ?? []), ...to]));
  }
  return arrows;
}

const say = (loops: readonly number[]) => (loops.length === 0 ? 'none' : `${loops.length} (${loops.join(', ')})`);

/** Lines of a function that is declared at the beginning of a line. */
function lengthOf(file: string, name: string): number {
  const lines = textOf(file).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`export function ${name}(`));
  return lines.slice(start).findIndex((line) => line === '}') + 1;
}

const app = filesIn('src');
const engineUsers = app.filter((file) => !file.startsWith('src/sync/operations/'));
const { output } = await cruise(
  ['contract', 'src', 'server'],
  { tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' }, includeOnly: '^(contract|src|server)/' },
  { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'], extensions: ['.ts', '.tsx', '.js'] },
);
const { modules } = output as ICruiseResult;
const featureOf = (file: string) => (/^server\/features\/[^/]+\//.test(file) ? folderOf(file, 3) : null);
const features = arrowsBetween(modules, featureOf);
const pairs = [...features.values()].reduce((all, { size }) => all + size, 0);
const imports = modules.reduce((all, { source, dependencies }) => {
  const own = featureOf(source);
  return all + dependencies.filter(({ resolved }) => own && featureOf(resolved) && featureOf(resolved) !== own).length;
}, 0);
const platformToFeatures = modules
  .filter(({ source }) => source.startsWith('server/platform/'))
  .flatMap(({ dependencies }) => dependencies.filter(({ resolved }) => featureOf(resolved) !== null)).length;

const counts: Count[] = [
  {
    what: 'lines that compare the kind of an operation, outside of src/sync/operations',
    now: linesWith(
      /\b(row|head|last|done|wanted|removal|asked|later|each|event|entry|first|one)\??\.kind (===|!==) '/,
      engineUsers,
    ),
    target: 'none',
  },
  {
    what: 'lines that ask what a server can do, outside of src/sync/server',
    now: linesWith(/\bfeatures\)?\??\.(keys|versions|uploads|sync)\b|\?\.(keys|versions|sync)\b/, app),
    target: 'none',
  },
  { what: '`as unknown as` in src', now: linesWith(/as unknown as/, app), target: 'none' },
  {
    what: '`Record<string, unknown>` in src',
    now: linesWith(/Record<string, unknown>/, app),
    target: 'none in patches',
  },
  {
    what: 'loops of imports, types among them',
    now: say(loopsOf(arrowsBetween(modules, (file) => file))),
    target: 'none',
  },
  { what: 'imports between features of the server', now: `${imports} over ${pairs} pairs`, target: 'an order' },
  { what: 'loops between features of the server', now: say(loopsOf(features)), target: 'none' },
  { what: 'imports of features by server/platform', now: String(platformToFeatures), target: '0' },
  { what: 'files in src/session', now: String(filesIn('src/session').length), target: 'at most 12' },
  {
    what: 'files that lie flat in src/sync',
    now: String(filesIn('src/sync').filter((file) => path.dirname(file) === 'src/sync').length),
    target: 'a facade, a scheduler, a pull loop',
  },
  { what: 'lines of createEngine', now: String(lengthOf('src/sync/engine.ts', 'createEngine')), target: 'at most 120' },
  {
    what: 'files of over 400 lines',
    now: String(
      [...app, ...filesIn('server'), ...filesIn('contract')].filter((file) => textOf(file).split('\n').length > 400)
        .length,
    ),
    target: '0',
  },
  {
    what: 'migrations before the last release',
    now: String(
      readdirSync(path.join(projectRoot, 'server/platform/db/migrations/meta')).filter((name) =>
        name.endsWith('snapshot.json'),
      ).length,
    ),
    target: '1 baseline',
  },
];

const widths = [Math.max(...counts.map(({ what }) => what.length)), Math.max(...counts.map(({ now }) => now.length))];
for (const { what, now, target } of counts) {
  console.log(`${what.padEnd(widths[0]!)}  ${now.padEnd(widths[1]!)}  (aimed at: ${target})`);
}
