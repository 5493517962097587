/** `npm run house`: metrics of the maintainability of the code, each beside its target. Prints one table and never fails. */
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
const readText = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');

/** Counts the lines that match a pattern and the files that contain them. */
function linesWith(pattern: RegExp, files: readonly string[]): string {
  const found = files.map(
    (file) =>
      readText(file)
        .split('\n')
        .filter((line) => pattern.test(line)).length,
  );
  const lines = found.reduce((all, one) => all + one, 0);
  return lines === 0 ? 'none' : `${lines} in ${found.filter((one) => one > 0).length} files`;
}

const getFolder = (file: string, depth: number) => file.split('/').slice(0, depth).join('/');

/** Returns the sizes of the strongly connected components with more than one member (Tarjan's algorithm). */
function getCycleSizes(arrows: ReadonlyMap<string, ReadonlySet<string>>): number[] {
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

function getDependencies(
  modules: readonly IModule[],
  nameOf: (file: string) => string | null,
): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = nameOf(source);
    if (from === null) continue;
    const to = dependencies.flatMap(({ resolved }) => nameOf(resolved) ?? []).filter((name) => name !== from);
    arrows.set(from, new Set([...(arrows.get(from) ?? []), ...to]));
  }
  return arrows;
}

const toText = (loops: readonly number[]) => (loops.length === 0 ? 'none' : `${loops.length} (${loops.join(', ')})`);

/** Returns the number of lines of a top-level function. */
function countLines(file: string, name: string): number {
  const lines = readText(file).split('\n');
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
const getFeature = (file: string) => (/^server\/features\/[^/]+\//.test(file) ? getFolder(file, 3) : null);
const features = getDependencies(modules, getFeature);
const pairs = [...features.values()].reduce((all, { size }) => all + size, 0);
const imports = modules.reduce((all, { source, dependencies }) => {
  const own = getFeature(source);
  return (
    all + dependencies.filter(({ resolved }) => own && getFeature(resolved) && getFeature(resolved) !== own).length
  );
}, 0);
const platformToFeatures = modules
  .filter(({ source }) => source.startsWith('server/platform/'))
  .flatMap(({ dependencies }) => dependencies.filter(({ resolved }) => getFeature(resolved) !== null)).length;

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
    what: 'lines that ask what effect a change has, outside of src/sync/operations',
    now: linesWith(/\b(getEffect|hasEffect)\(/, engineUsers),
    target: 'few',
  },
  {
    what: 'lines that check server capabilities, outside of src/sync/server',
    now: linesWith(
      /\b(getKnownApi|learnApi)\(|\bfeatures\)?\??\.(keys|versions|uploads|sync)\b/,
      app.filter((file) => !file.startsWith('src/sync/server/')),
    ),
    target: 'none',
  },
  { what: '`as unknown as` in src', now: linesWith(/as unknown as/, app), target: 'none' },
  {
    what: '`Record<string, unknown>` in src',
    now: linesWith(/Record<string, unknown>/, app),
    target: 'none in patches',
  },
  {
    what: 'import cycles, including types',
    now: toText(getCycleSizes(getDependencies(modules, (file) => file))),
    target: 'none',
  },
  { what: 'imports between features of the server', now: `${imports} over ${pairs} pairs`, target: 'an order' },
  { what: 'cycles between features of the server', now: toText(getCycleSizes(features)), target: 'none' },
  { what: 'imports of features by server/platform', now: String(platformToFeatures), target: '0' },
  { what: 'files in src/session', now: String(filesIn('src/session').length), target: 'at most 12' },
  {
    what: 'files directly in src/sync',
    now: String(filesIn('src/sync').filter((file) => path.dirname(file) === 'src/sync').length),
    target: 'a facade, a scheduler, a pull loop',
  },
  {
    what: 'lines of createEngine',
    now: String(countLines('src/sync/engine.ts', 'createEngine')),
    target: 'at most 120',
  },
  {
    what: 'files of over 400 lines',
    now: String(
      [...app, ...filesIn('server'), ...filesIn('contract')].filter((file) => readText(file).split('\n').length > 400)
        .length,
    ),
    target: '0',
  },
  {
    what: 'migrations before the last release',
    now: String(
      readdirSync(path.join(projectRoot, 'server/platform/db/migrations')).filter((name) => name.endsWith('.sql'))
        .length,
    ),
    target: '1 baseline',
  },
  {
    what: 'snapshots of the database schema',
    now: String(
      readdirSync(path.join(projectRoot, 'server/platform/db/migrations/meta')).filter((name) =>
        name.endsWith('snapshot.json'),
      ).length,
    ),
    target: '1, of the newest migration',
  },
];

const widths = [Math.max(...counts.map(({ what }) => what.length)), Math.max(...counts.map(({ now }) => now.length))];
for (const { what, now, target } of counts) {
  console.log(`${what.padEnd(widths[0]!)}  ${now.padEnd(widths[1]!)}  (target: ${target})`);
}
