import type { Section } from '#contract/section.ts';
import { getRecordLines } from './record-lines.ts';

export type Side = 'mine' | 'theirs';

/** One line of the two versions. */
export interface LinePair {
  /** The keys it stands for; names the line. */
  keys: string[];
  label: string;
  mine: string;
  theirs: string;
  isDifferent: boolean;
}

/** Both versions line by line; empty in both is left out. */
export function compareVersions(
  section: Pick<Section, 'fields'> | undefined,
  mine: Record<string, unknown>,
  theirs: Record<string, unknown>,
): LinePair[] {
  const other = getRecordLines(section, theirs);
  return getRecordLines(section, mine)
    .map(({ keys, label, words }, at) => {
      const theirWords = other[at]?.words ?? '';
      return { keys, label, mine: words, theirs: theirWords, isDifferent: words !== theirWords };
    })
    .filter((pair) => pair.mine !== '' || pair.theirs !== '');
}

/** What to hand the engine: the side each differing line was given, for every field of the line. */
export function toChoices(pairs: readonly LinePair[], sideOf: (pair: LinePair) => Side): Record<string, Side> {
  return Object.fromEntries(
    pairs.filter((pair) => pair.isDifferent).flatMap((pair) => pair.keys.map((key) => [key, sideOf(pair)])),
  );
}
