import type { Audition } from '#contract/records/casting.ts';
import { TAPE_LIMITS } from '#contract/records/tapes.ts';
import { cutText } from '#lib/text.ts';

/** A part of a file name: 'Meera Kulkarni' → 'MeeraKulkarni'. Letters of every script stay. */
const toPart = (words: string): string =>
  words
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/**
 * What the sender reads as the name of a take: by the request's rule, in which `Role`, `Name`, `Project` and `Take` stand for the words of this tape, or
 * Role_Name_Take1. The extension of the file is kept. A take of the booth keeps its number, other files are counted.
 */
export function getTakeName(
  { naming, role, project }: Pick<Audition, 'naming' | 'role' | 'project'>,
  performer: string,
  { name: file, title }: { name: string; title: string },
  index: number,
): string {
  const [extension = ''] = /\.[a-z0-9]{1,5}$/i.exec(file) ?? [];
  const take = /^(slate|full|take \d+$)/i.test(title) ? toPart(title) : `Take${index + 1}`;
  const words: Record<string, string> = {
    role: toPart(role.name),
    name: toPart(performer),
    project: toPart(project.title),
    take,
  };
  const rule = naming?.trim() || 'Role_Name_Take';
  const named = rule
    .split(/([_\s-]+)/)
    .map((part) => words[part.toLowerCase().replace(/\d+$/, '')] ?? part)
    .join('');
  return `${cutText(named, TAPE_LIMITS.takeName - extension.length)}${extension.toLowerCase()}`;
}

/** What a take is called beside the others of its tape; null if it has no title. */
export const getTakeLabel = (title: string): string | null => cutText(title, TAPE_LIMITS.takeLabel).trim() || null;
