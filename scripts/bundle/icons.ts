/**
 * Imports each icon from a file of its own. The index of the package imports every icon, so that the bundler could not
 * tell which page needs which icon. Source: docs/decisions/023-what-is-fetched-when.md.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type ESTree, parseSync, type Plugin } from 'vite';

const PACKAGE = 'lucide-react';

let files: ReadonlyMap<string, string> | undefined;

/** The path of each icon's file by the names under which the package's index exports it. */
function getFiles(): ReadonlyMap<string, string> {
  if (files) return files;
  const folder = path.join(createRequire(import.meta.url).resolve(PACKAGE), '../../esm');
  const { program } = parseSync('index.js', readFileSync(path.join(folder, `${PACKAGE}.mjs`), 'utf8'));
  const exported = program.body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration' && node.source?.value.startsWith('./icons/')
      ? node.specifiers.map((specifier): [string, string] => [
          nameOf(specifier.exported),
          `${PACKAGE}/icons/${path.basename(node.source!.value, '.mjs')}`,
        ])
      : [],
  );
  return (files = new Map(exported));
}

const nameOf = (node: ESTree.ModuleExportName) => (node.type === 'Literal' ? node.value : node.name);

/** Returns the code with each icon imported from its own file. Throws an Error for an icon that does not exist. */
export function importIconsByFile(file: string, code: string): string {
  const { program } = parseSync(file, code);
  const imports = program.body.filter(
    (node): node is ESTree.ImportDeclaration =>
      node.type === 'ImportDeclaration' && node.source.value === PACKAGE && node.importKind !== 'type',
  );
  return imports.reduceRight((rest, { start, end, specifiers }) => {
    const lines = specifiers.flatMap((specifier) => {
      if (specifier.type !== 'ImportSpecifier') throw new Error(`${file} imports all of ${PACKAGE}`);
      if (specifier.importKind === 'type') return [];
      const name = nameOf(specifier.imported);
      const from = getFiles().get(name);
      if (from === undefined) throw new Error(`${file} imports ${name}, which is no icon of ${PACKAGE}`);
      return [`import ${specifier.local.name} from '${from}';`];
    });
    return rest.slice(0, start) + lines.join(' ') + rest.slice(end);
  }, code);
}

export const iconsByFile: Plugin = {
  name: 'icons-by-file',
  enforce: 'pre',
  apply: 'build',
  transform: {
    filter: { id: /\/src\/.*\.tsx?$/, code: PACKAGE },
    handler: (code, id) => ({ code: importIconsByFile(id, code) }),
  },
};
