/**
 * What the engine offers, from its types and the words beside them: `docs/for-developers/engine.md`. `npm run reference` writes it anew; a
 * test fails where it has not been.
 */
import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '#server/platform/paths.ts';

const FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/** The page as Markdown. */
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
