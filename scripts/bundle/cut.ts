/** Removes members of object literals from source code, for the parts that a bundle does not need. */
import type { ESTree, Plugin } from 'vite';

export interface Cut {
  start: number;
  end: number;
  instead: string;
}

/** An object literal in source code. */
export interface Literal {
  members: ESTree.ObjectPropertyKind[];
  /** Position of the closing brace. */
  end: number;
}

export const nameOf = (member: ESTree.Node) =>
  member.type === 'Property' && member.key.type === 'Identifier' ? member.key.name : null;

/** Applies cuts to the code. They must not overlap. */
export function without(code: string, cuts: readonly Cut[]): string {
  const backwards = [...cuts].sort((one, other) => other.start - one.start);
  return backwards.reduce((rest, { start, end, instead }) => rest.slice(0, start) + instead + rest.slice(end), code);
}

/** Removes these members and everything up to the next member. */
export const cutMembers = ({ members, end }: Literal, names: readonly string[]): Cut[] =>
  members.flatMap((member, at) =>
    names.includes(nameOf(member) ?? '')
      ? [{ start: member.start, end: members[at + 1]?.start ?? end, instead: '' }]
      : [],
  );

/** Returns a plugin that cuts the files whose path matches. */
export const cutting = (name: string, files: RegExp, cut: (code: string) => string): Plugin => ({
  name,
  enforce: 'pre',
  transform: { filter: { id: files }, handler: cut },
});
