/**
 * Which files of the app are fetched together. By itself the bundler makes a file for each set of pages that share something: a
 * hundred requests for a few hundred bytes each, and the worker's installation, which fetches, compares and stores every file,
 * took six times as long as opening the app. So a module that is fetched by itself says at its head when that is, and what such
 * modules need lies together by the earliest moment. Source: docs/decisions/023-what-is-fetched-when.md.
 */
import { parseSync, type Plugin, type Rolldown } from 'vite';

/** What a module may say of itself. A page, sheet or part that is opened later says nothing. */
const DIRECTIVES = {
  'fetched by every page': 'always',
  'fetched first by visitors': 'visitor',
  'fetched first by members': 'member',
  'fetched soon after the start': 'soon',
} as const;

type Moment = (typeof DIRECTIVES)[keyof typeof DIRECTIVES];

/** Path and name of a file that is fetched before the first page shows. What it needs is fetched beside it, not after. */
const FIRST = 'assets/f-';
export const isFetchedFirst = (file: string): boolean => file.startsWith(FIRST);

const isMoment = (said: string): said is keyof typeof DIRECTIVES => Object.hasOwn(DIRECTIVES, said);

/** When a module says it is fetched, and its code without that. Throws an Error on a moment there is none of. */
export function readMoment(file: string, code: string): { moment: Moment | null; code: string } {
  const [first] = parseSync(file, code).program.body;
  const said = first?.type === 'ExpressionStatement' ? first.directive : undefined;
  if (first === undefined || !said?.startsWith('fetched')) return { moment: null, code };
  if (!isMoment(said)) {
    throw new Error(`${file} says '${said}'; there is only '${Object.keys(DIRECTIVES).join("', '")}'`);
  }
  return { moment: DIRECTIVES[said], code: code.slice(0, first.start) + code.slice(first.end) };
}

/** The plugin that reads when modules are fetched, and what the bundler is told by it. */
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
  };
  let needs: ((moment: Moment, id: string) => boolean) | undefined;
  const nameOf: Rolldown.CodeSplittingNameFunction = (id, context) => {
    needs ??= needsIn(context, moments);
    if (needs('always', id)) return 'start';
    if (needs('member', id)) return needs('visitor', id) ? 'page' : 'signed-in';
    if (needs('soon', id)) return needs('visitor', id) ? 'page-soon' : 'soon';
    return needs('visitor', id) ? null : 'later';
  };
  // Names would be a kilobyte of the worker's list and of what each page says it needs; the first ones need theirs.
  const fileOf = ({ name, facadeModuleId }: Rolldown.PreRenderedChunk) => {
    const moment = moments.get(facadeModuleId ?? '');
    return moment === 'member' || moment === 'visitor' ? `${FIRST}${name}-[hash:8].js` : 'assets/[hash:8].js';
  };
  return { plugin, nameOf, fileOf };
}

/** Tells whether a moment needs a module, by what its modules import and what these import. */
function needsIn(context: Rolldown.ChunkingContext, moments: ReadonlyMap<string, Moment>) {
  const reached: Record<Moment, Set<string>> = {
    always: new Set(),
    visitor: new Set(),
    member: new Set(),
    soon: new Set(),
  };
  for (const [id, moment] of moments) reached[moment].add(id);
  for (const ids of Object.values(reached)) {
    // A set that grows while it is walked is walked to its end.
    for (const id of ids) context.getModuleInfo(id)?.importedIds.forEach((imported) => ids.add(imported));
  }
  return (moment: Moment, id: string) => reached[moment].has(id);
}
