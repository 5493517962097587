import type { Section } from '#contract/section.ts';
import { getRecordLines } from './record-lines.ts';

export type Side = 'mine' | 'theirs';

/** One line of a record in both versions. */
export interface LinePair {
  /** The record's fields that the line shows. */
  keys: string[];
  label: string;
  mine: string;
  theirs: string;
  isDifferent: boolean;
}

/** Compares two versions of a record line by line. Lines that are empty in both are left out. */
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

/**
 * Returns the chosen side of every field, as `resolveConflict` expects it.
 * @param fields those of the change: one that no line shows follows `other`
 */
export function toChoices(
  pairs: readonly LinePair[],
  getSide: (pair: LinePair) => Side,
  { fields, other }: { fields: readonly string[]; other: Side },
): Record<string, Side> {
  const shown = pairs.filter((pair) => pair.isDifferent);
  return Object.fromEntries([
    ...fields.map((key) => [key, other]),
    ...shown.flatMap((pair) => pair.keys.map((key) => [key, getSide(pair)])),
  ]) as Record<string, Side>;
}
