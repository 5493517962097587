import { execFile } from 'node:child_process';
import { copyFile, cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Section } from '#contract/section.ts';

const run = promisify(execFile);

/** The sources of a build. */
const SOURCES = [
  'contract',
  'docs/for-performers',
  'docs/for-casting',
  'server',
  'src',
  'public',
  'scripts',
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];

/** A definition in `support/extra/`: the file is named after the section's key, its export is `name`. */
export interface ExtraSection {
  section: Section;
  name: string;
}

/** A built copy of the project with further sections, in its own folder. */
export interface ExtraProject {
  folder: string;
  remove(): Promise<void>;
}

/** Adds a line to the section registry for each further section. Nothing else in the project changes. */
function addToRegistry(registry: string, extras: readonly ExtraSection[]): string {
  const end = '\n];\n';
  if (registry.split(end).length !== 2) throw new Error('The end of the section registry has changed');
  const imports = extras.map(({ name, section }) => `import { ${name} } from './${section.key}.ts';\n`);
  const entries = extras.map(({ name }) => `  ${name},\n`);
  return imports.join('') + registry.replace(end, `\n${entries.join('')}];\n`);
}

/** Copies the sources, adds each definition as a file and a line of the registry, and builds app and server. */
export async function buildProjectWith(extras: readonly ExtraSection[]): Promise<ExtraProject> {
  const root = path.resolve(import.meta.dirname, '../../..');
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'callboard-extra-')));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    for (const name of SOURCES) {
      await cp(path.join(root, name), path.join(folder, name), { recursive: true });
    }
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    const sections = path.join(folder, 'contract/sections');
    for (const { section } of extras) {
      const file = `${section.key}.ts`;
      await copyFile(path.join(import.meta.dirname, 'extra', file), path.join(sections, file));
    }
    const registry = path.join(sections, 'index.ts');
    await writeFile(registry, addToRegistry(await readFile(registry, 'utf8'), extras));
    await run(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--all'], { cwd: folder });
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, remove };
}
