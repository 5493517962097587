import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { importIconsByFile } from '../../scripts/bundle/icons.ts';
import { findCycle, readMoment, withImports } from '../../scripts/bundle/moments.ts';
import { cutTexts } from '../../scripts/bundle/operations.ts';
import { cutExample, cutForm } from '../../scripts/bundle/sections.ts';

const folder = path.resolve('contract/sections');
const cuttings = mkdtempSync(path.join(tmpdir(), 'sections-'));
afterAll(() => rmSync(cuttings, { recursive: true }));

const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && file !== 'index.ts');
const SAID = ['label', 'missing', 'placeholder', 'hint'] as const;

/** The section a file defines once its code was changed. */
async function sectionOf(file: string, change: (code: string) => string): Promise<Section> {
  const cut = path.join(cuttings, `${change.name}-${file}`);
  const code = change(readFileSync(path.join(folder, file), 'utf8'));
  writeFileSync(cut, code.replaceAll("'../", `'${path.resolve('contract')}/`).replaceAll("'./", `'${folder}/`));
  const exports = Object.values((await import(cut)) as Record<string, unknown>);
  return exports.find((each): each is Section => typeof each === 'object' && each !== null && 'cardinality' in each)!;
}

describe.each(files)('the definition in %s', (file) => {
  const whole = SECTIONS.find(({ key }) => file === `${key}.ts`)!;

  it('loses its example in the app, and nothing else', async () => {
    const section = await sectionOf(file, cutExample);
    expect(section.example).toBeUndefined();
    expect(Object.keys(section)).toEqual(Object.keys(whole).filter((member) => member !== 'example'));
    expect(section.fields).toEqual(whole.fields);
  });

  it('has nothing in the worker that only a form says, and all that is sent and stored', async () => {
    const section = await sectionOf(file, cutForm);
    expect([section.rules, section.emptyText, section.savedText]).toEqual([[], undefined, undefined]);
    expect([section.key, section.cardinality, section.endpoints]).toEqual([
      whole.key,
      whole.cardinality,
      whole.endpoints,
    ]);
    // The engine asks for their names: a record whose fields are all empty is deleted.
    expect(Object.keys(section.fields)).toEqual(Object.keys(whole.fields));
    expect(section.card(whole.example)).toEqual({ title: whole.card(whole.example).title });
    for (const field of Object.values(section.fields) as Partial<Record<(typeof SAID)[number], string>>[]) {
      for (const words of SAID) expect(field[words] ?? '').toBe('');
    }
  });
});

describe('an operation in the worker', () => {
  it('loses its icon and the texts of screens, and keeps what the journal stores', () => {
    const code = `export const star = defineToggle({ on: STAR, words: { on: 'Star' }, icon: 'star', goneText: 'Gone.' });
export const save: Operation = { kind: 'save', describe: () => 'Saved', summarize: () => '', about: 'wish', slot };`;
    expect(cutTexts(code)).toBe(`export const star = defineToggle({ on: STAR, words: { on: 'Star' }, });
export const save: Operation = { kind: 'save', describe: () => 'Saved', slot };`);
  });
});

describe('what a module says of when it is fetched', () => {
  it('is read from its head and taken out', () => {
    const read = readMoment('a.ts', "'fetched soon after the start';\nexport const a = 1;\n");
    expect(read).toEqual({ moment: 'soon', code: '\nexport const a = 1;\n' });
  });

  it('is nothing for a module that has no such line, or has it as a text', () => {
    const code = "export const a = 'fetched soon after the start';\n";
    expect(readMoment('a.ts', code)).toEqual({ moment: null, code });
  });

  it('stops the build when there is no such moment', () => {
    expect(() => readMoment('a.ts', "'fetched now and then';\n")).toThrow(
      "a.ts has the directive 'fetched now and then'",
    );
  });
});

describe('the icons of a module', () => {
  it('are imported each from its own file, also under their older names', () => {
    const code = "import { type LucideIcon, Check, Home as Start } from 'lucide-react';\nuse(Check);\n";
    expect(importIconsByFile('a.ts', code)).toBe(
      "import Check from 'lucide-react/icons/check'; import Start from 'lucide-react/icons/house';\nuse(Check);\n",
    );
  });

  it('stay as they are when only their type is used', () => {
    const code = "import type { LucideIcon } from 'lucide-react';\n";
    expect(importIconsByFile('a.ts', code)).toBe(code);
  });

  it('stop the build when there is no such icon, or all are imported', () => {
    expect(() => importIconsByFile('a.ts', "import { Clapping } from 'lucide-react';")).toThrow('no icon');
    expect(() => importIconsByFile('a.ts', "import * as icons from 'lucide-react';")).toThrow('imports all of');
  });
});

describe('the files of the bundle', () => {
  it('are listed with all that they import', () => {
    const bundle = { 'a.js': { imports: ['b.js'] }, 'b.js': { imports: ['c.js', 'a.js'] }, 'c.js': {}, 'd.js': {} };
    expect(withImports(bundle, ['a.js'])).toEqual(['a.js', 'b.js', 'c.js']);
  });

  it('are refused when they import each other', () => {
    const bundle = {
      'a.js': { imports: ['b.js'] },
      'b.js': { imports: ['c.js'] },
      'c.js': { imports: ['b.js'] },
      'd.css': {},
    };
    expect(findCycle(bundle)).toEqual(['b.js', 'c.js', 'b.js']);
  });

  it('are accepted when several import the same one', () => {
    expect(
      findCycle({ 'a.js': { imports: ['b.js', 'c.js'] }, 'b.js': { imports: ['c.js'] }, 'c.js': { imports: [] } }),
    ).toBeNull();
  });
});
