/**
 * Groups modules into chunks by the time at which they are loaded. By default the bundler creates a chunk for each set
 * of pages that share something: a hundred requests for a few hundred bytes each. Installing the worker, which fetches,
 * compares and stores every file, took six times as long as opening the app. So each lazily loaded module declares in a
 * directive when it is loaded, and its dependencies are grouped by the earliest such moment. Source:
 * docs/decisions/023-what-is-fetched-when.md.
 */
import { parseSync, type Plugin, type Rolldown } from 'vite';
import { HASH_LENGTH } from '../../src/sw/precache-list.ts';

/** The directives. A page, sheet or part that is opened later has none. */
const DIRECTIVES = {
  'fetched by every page': 'always',
  'fetched first by visitors': 'visitor',
  'fetched first by members': 'member',
  'fetched first on a public profile': 'profile',
  'fetched soon after the start': 'soon',
} as const;

type Moment = (typeof DIRECTIVES)[keyof typeof DIRECTIVES];

/** The moments of the first page, by who opens which. */
const FIRST_MOMENTS = ['visitor', 'member', 'profile'] as const satisfies readonly Moment[];

type FirstMoment = (typeof FIRST_MOMENTS)[number];

const isFirstMoment = (moment: Moment | undefined): moment is FirstMoment =>
  FIRST_MOMENTS.some((first) => first === moment);

/**
 * Prefix of the files that are loaded before the first page is shown. Their dependencies are loaded in parallel, not
 * afterwards.
 */
const FIRST = 'assets/f-';
export const isFetchedFirst = (file: string): boolean => file.startsWith(FIRST);

const isMoment = (said: string): said is keyof typeof DIRECTIVES => Object.hasOwn(DIRECTIVES, said);

/** Returns the moment that a module declares and its code without the directive. Throws an Error for an unknown moment. */
export function readMoment(file: string, code: string): { moment: Moment | null; code: string } {
  const [first] = parseSync(file, code).program.body;
  const said = first?.type === 'ExpressionStatement' ? first.directive : undefined;
  if (first === undefined || !said?.startsWith('fetched')) return { moment: null, code };
  if (!isMoment(said)) {
    throw new Error(
      `${file} has the directive '${said}'; the valid ones are '${Object.keys(DIRECTIVES).join("', '")}'`,
    );
  }
  return { moment: DIRECTIVES[said], code: code.slice(0, first.start) + code.slice(first.end) };
}

/** Returns a plugin that reads the directives and the chunk options for the bundler. */
export function byMoment() {
  const moments = new Map<string, Moment>();
  const plugin: Plugin = {
    name: 'by-moment',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.tsx?$/, code: 'fetched' },
      handler(code, id) {
        const read = readMoment(id, code);
        if (read.moment === null) return;
        moments.set(id, read.moment);
        return { code: read.code };
      },
    },
    // Otherwise they are requested only when the entry runs. Read by public/theme.js.
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (bundle === undefined) return;
        const files = Object.fromEntries(
          FIRST_MOMENTS.map((moment) => {
            const isRoot = (file: Rolldown.OutputAsset | Rolldown.OutputChunk) =>
              file.type === 'chunk' &&
              moments.get(file.facadeModuleId ?? '') === moment &&
              isFetchedFirst(file.fileName);
            const roots = Object.keys(bundle).filter((name) => isRoot(bundle[name]!));
            const needed = withImports(bundle, roots).filter((file) => !html.includes(file));
            return [`data-${moment}`, needed.join(' ')];
          }),
        );
        return [{ tag: 'meta', attrs: { name: 'first-files', content: '', ...files }, injectTo: 'head-prepend' }];
      },
    },
    generateBundle(_options, bundle) {
      const cycle = findCycle(bundle);
      if (cycle)
        this.error(`These files import each other, so that one would see undefined values: ${cycle.join(' → ')}`);
    },
  };
  let needs: ((moment: Moment, id: string) => boolean) | undefined;
  const nameOf: Rolldown.CodeSplittingNameFunction = (id, context) => {
    needs ??= needsIn(context, moments);
    if (needs('always', id)) return 'start';
    const isVisible = needs('visitor', id) || needs('profile', id);
    if (needs('member', id)) {
      if (!isVisible) return 'signed-in';
      return needs('visitor', id) ? 'page' : 'profile';
    }
    if (needs('soon', id)) {
      if (!isVisible) return 'soon';
      return needs('visitor', id) ? 'page-soon' : 'profile-soon';
    }
    if (needs('visitor', id)) return null;
    return isVisible ? 'public-profile' : 'later';
  };
  const soonOnly: Rolldown.CodeSplittingNameFunction = (id, context) =>
    nameOf(id, context) === 'soon' ? 'soon' : null;
  // Names would add a kilobyte to the precache list and to the dependency lists of pages. Only the first files need theirs.
  const fileOf = ({ name, facadeModuleId }: Rolldown.PreRenderedChunk) => {
    const moment = moments.get(facadeModuleId ?? '');
    return isFirstMoment(moment) ? `${FIRST}${name}-[hash:${HASH_LENGTH}].js` : `assets/[hash:${HASH_LENGTH}].js`;
  };
  return { plugin, nameOf, soonOnly, fileOf };
}

/** Returns these files of the bundle and all that they import statically. */
export function withImports(
  bundle: Readonly<Record<string, { type?: string; imports?: readonly string[] }>>,
  files: readonly string[],
): string[] {
  const found = new Set(files);
  // Iterating over a growing set reaches the added files, too.
  for (const file of found) bundle[file]?.imports?.forEach((imported) => found.add(imported));
  return [...found];
}

/** Returns files of the bundle that import each other statically, from the first to itself; null if there are none. */
export function findCycle(
  bundle: Readonly<Record<string, { type?: string; imports?: readonly string[] }>>,
): string[] | null {
  const isDone = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (isDone.has(file)) return null;
    for (const imported of bundle[file]?.imports ?? []) {
      const cycle = visit(imported, [...path, file]);
      if (cycle) return cycle;
    }
    isDone.add(file);
    return null;
  };
  for (const file of Object.keys(bundle)) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return null;
}

/** Returns whether the modules of a moment need a module, directly or through imports. */
function needsIn(context: Rolldown.ChunkingContext, moments: ReadonlyMap<string, Moment>) {
  const reached: Record<Moment, Set<string>> = {
    always: new Set(),
    visitor: new Set(),
    member: new Set(),
    profile: new Set(),
    soon: new Set(),
  };
  for (const [id, moment] of moments) reached[moment].add(id);
  for (const ids of Object.values(reached)) {
    // Iterating over a growing set reaches the added modules, too.
    for (const id of ids) context.getModuleInfo(id)?.importedIds.forEach((imported) => ids.add(imported));
  }
  return (moment: Moment, id: string) => reached[moment].has(id);
}
