import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { SECTIONS } from '#contract/sections/index.ts';
import { getLayout } from '#lib/section-layout.ts';

/** Phrases that made readers stumble, in lower case. What replaced them says what happened and what to do next. */
const PHRASES = [
  'as the device',
  'off, neither of you does',
  'add a training',
  'add training',
  'stations of your journey',
  'jury’s mention',
  'you can leave it all out',
  'take along',
  'goes its own way',
  'wage',
  'bill yourself',
  'has a slip in it',
  'who answers for it',
  'what stands below',
  'they are the ones to ask',
  'nothing waits to be sent',
  'sends by itself when there is',
  'sends when you are back',
  'keep other device',
  'waits for the one above',
  'those you can work in',
  'deletes it',
  'needs signal once',
  'the rest is up to you',
  'it is not saved yet',
  'signal is weak',
  'has the way back',
  'who runs this callboard',
  'what is the matter',
  'does not belong here',
  'plays no youtube video',
  'no link to a video',
  'with a comma between',
  'medium saved',
  'no longer star',
  'no longer save',
  'as many ask more as ask less',
  'or not said',
  'too few of them to look closer',
  'needs signal to be',
  'lost its storage for a moment',
  'the server would not have it',
];

const ROOTS = ['src', 'contract', 'server', 'public', 'index.html', 'docs/for-performers', 'docs/for-casting'];

const TEXT_FILES = /\.(tsx?|html|webmanifest|md)$/;

function filesUnder(root: string): string[] {
  if (TEXT_FILES.test(root)) return [root];
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() || TEXT_FILES.test(entry.name) ? filesUnder(path.join(root, entry.name)) : [],
  );
}

const plain = (text: string) => text.replace(/\s+/g, ' ').replaceAll("'", '’').toLowerCase();
const phrasesIn = (text: string) => PHRASES.filter((phrase) => plain(text).includes(phrase));

/** Texts of string literals, template pieces and JSX, with the line breaks of the source taken out. Comments are not texts. */
function textsIn(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  // Parsing takes long: most files have none of the phrases anywhere.
  if (phrasesIn(source).length === 0) return [];
  if (!/\.tsx?$/.test(file)) return [source];
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    // A thrown bug speaks to developers alone.
    if (ts.isNewExpression(node) && node.expression.getText() === 'Error') return;
    if (
      ts.isStringLiteralLike(node) ||
      ts.isJsxText(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isTemplateHead(node)
    ) {
      texts.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return texts;
}

describe('texts that people read', () => {
  it('use none of the phrases that made readers stumble', () => {
    const found = ROOTS.flatMap(filesUnder).flatMap((file) =>
      textsIn(file).flatMap((text) => phrasesIn(text).map((phrase) => `${file}: “${phrase}” in “${text.trim()}”`)),
    );
    expect(found).toEqual([]);
  });

  it('use none of them in sentences with a section’s own word', () => {
    const sentences = SECTIONS.flatMap(({ noun }) => [`Add a ${noun}`, `Add an ${noun}`, `Add ${noun}`]);
    expect(sentences.flatMap(phrasesIn)).toEqual([]);
  });

  it('ask to enter a typed year and to choose a picked one', () => {
    for (const section of SECTIONS) {
      for (const part of getLayout(section)) {
        const field = part.kind === 'field' ? section.fields[part.key] : undefined;
        if (field?.kind === 'year') expect(field.missing, section.key).not.toMatch(/^Choose/);
      }
    }
  });
});
