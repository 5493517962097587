import type { Section } from '#contract/section.ts';
import { recordLines } from './record-lines.ts';

export type Side = 'mine' | 'theirs';

/** One line of the two versions. */
export interface Pair {
  /** The keys it stands for; names the line. */
  keys: string[];
  label: string;
  mine: string;
  theirs: string;
  differs: boolean;
}

/** Both versions line by line; empty in both is left out. */
export function pairsOf(
  section: Pick<Section, 'fields'> | undefined,
  mine: Record<string, unknown>,
  theirs: Record<string, unknown>,
): Pair[] {
  const other = recordLines(section, theirs);
  return recordLines(section, mine)
    .map(({ keys, label, words }, at) => {
      const theirWords = other[at]?.words ?? '';
      return { keys, label, mine: words, theirs: theirWords, differs: words !== theirWords };
    })
    .filter((pair) => pair.mine !== '' || pair.theirs !== '');
}

/** What to hand the engine: the side each differing line was given, for every field of the line. */
export function choiceOf(pairs: readonly Pair[], sideOf: (pair: Pair) => Side): Record<string, Side> {
  return Object.fromEntries(
    pairs.filter((pair) => pair.differs).flatMap((pair) => pair.keys.map((key) => [key, sideOf(pair)])),
  );
}
