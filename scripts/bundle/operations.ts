/** Removes from the worker what only screens use of an operation: it sends changes and shows none. */
import { parseSync, Visitor } from 'vite';
import { type Cut, cutMembers, cutting, without } from './cut.ts';

const OPERATIONS = /\/src\/sync\/operations\/[\w-]+\.ts$/;
const SCREEN_MEMBERS = ['icon', 'summarize', 'getText', 'savedText', 'goneText', 'about'];

/** Removes the icon and the texts of an operation. Its title stays, because the journal stores it. */
export function cutTexts(code: string): string {
  const { program } = parseSync('operation.ts', code);
  const cuts: Cut[] = [];
  const visitor = new Visitor({
    ObjectExpression({ properties, end }) {
      cuts.push(...cutMembers({ members: properties, end: end - 1 }, SCREEN_MEMBERS));
    },
  });
  visitor.visit(program);
  return without(code, cuts);
}

export const withoutTexts = cutting('without-texts', OPERATIONS, cutTexts);
