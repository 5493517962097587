/**
 * Removes parts of section definitions that a bundle does not need. A section is one file, but its example is only for
 * tests and demo people and its texts only for forms. Source: docs/decisions/003-sections.md.
 */
import { type ESTree, parseSync, Visitor } from 'vite';
import { type Cut, cutMembers, cutting, type Literal, nameOf, without } from './cut.ts';

const SECTIONS = /\/contract\/sections\/\w+\.ts$/;
/** Members that only screens use. */
const FORM_MEMBERS = [
  'formTitles',
  'dateRank',
  'rules',
  'emptyText',
  'savedText',
  'writtenBy',
  'profileTypes',
  'visibleTo',
];

/** Returns the argument of defineSection, or null for a file without one. */
function definitionIn(code: string): Literal | null {
  const { program } = parseSync('section.ts', code);
  let found: Literal | null = null;
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [given] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'defineSection') return;
      if (given?.type === 'ObjectExpression') found = { members: given.properties, end: given.end - 1 };
    },
  });
  visitor.visit(program);
  return found;
}

/** Removes the example from a definition, which saves phones a kilobyte. */
export function cutExample(code: string): string {
  const definition = definitionIn(code);
  return definition === null ? code : without(code, cutMembers(definition, ['example']));
}

/** Keeps the names of the fields, which the engine asks for, and drops what forms know of them. */
function cutToNames(fields: ESTree.Node): Cut {
  if (fields.type !== 'ObjectExpression') throw new Error('The fields of a section are not an object literal');
  const names = fields.properties.map((member) => {
    const name = nameOf(member);
    if (name === null) throw new Error('A field of a section is spread or has a computed name');
    return `${name}:0`;
  });
  return { start: fields.start, end: fields.end, instead: `{${names.join()}}` };
}

/** Removes all of a card but its title, which names a record in the journal. */
function cutCard(card: ESTree.Node): Cut[] {
  const inner = card.type === 'ArrowFunctionExpression' ? card.body : card;
  const body = inner.type === 'ParenthesizedExpression' ? inner.expression : inner;
  if (body.type !== 'ObjectExpression') throw new Error('The card of a section is not an arrow function to an object');
  const rest = body.properties.map(nameOf).filter((name) => name !== null && name !== 'title');
  return cutMembers({ members: body.properties, end: body.end - 1 }, rest as string[]);
}

/**
 * Removes everything that only screens need. Of the fields only the names stay: without a form they only carry stored
 * values.
 */
export function cutForm(code: string): string {
  const definition = definitionIn(code);
  if (definition === null) return code;
  const valueOf = (name: string) => {
    const member = definition.members.find((each) => nameOf(each) === name);
    return member?.type === 'Property' ? member.value : undefined;
  };
  const fields = valueOf('fields');
  const card = valueOf('card');
  const ofFields = fields === undefined ? [] : [cutToNames(fields)];
  const ofCard = card === undefined ? [] : cutCard(card);
  return without(code, [...cutMembers(definition, FORM_MEMBERS), ...ofFields, ...ofCard]);
}

export const withoutExamples = cutting('without-examples', SECTIONS, cutExample);
export const withoutForms = cutting('without-forms', SECTIONS, cutForm);
