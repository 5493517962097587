/**
 * `npm run reference`: generates `docs/for-developers/engine.md` from the types of the engine and their comments. A
 * test fails when the file is outdated.
 */
import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '#server/platform/paths.ts';

const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/** Renders the page as Markdown. */
export function engineReference(): string {
  const config = path.join(projectRoot, 'src/tsconfig.json');
  const { options } = ts.getParsedCommandLineOfConfigFile(
    config,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  )!;
  const file = path.join(projectRoot, 'src/sync/engine.ts');
  const program = ts.createProgram([file], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file)!;
  const made = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source)!)
    .find(({ name }) => name === 'createEngine')!;
  const [signature] = checker.getTypeOfSymbol(made).getCallSignatures();
  const entries = checker.getPropertiesOfType(signature!.getReturnType()).map((property) => {
    const text = checker.typeToString(checker.getTypeOfSymbol(property), source, FLAGS);
    const words = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll('\n', ' ');
    return `### \`${property.name}\`\n\n\`\`\`ts\n${text}\n\`\`\`\n${words && `\n${words}\n`}`;
  });
  return `# What the engine offers

Written by \`npm run reference\` from the types of \`createEngine\` (\`src/sync/engine.ts\`) and the comments beside them. Screens use
only this and the live queries of \`src/db/\`; nothing else writes to the outbox. Whatever saves resolves when the transaction is
complete on the disk, and throws \`StorageError\` otherwise.

${entries.join('\n')}`;
}
