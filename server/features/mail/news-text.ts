import type { PushKindName } from '#contract/push-kind-names.ts';
import { PUSH_KINDS } from '#contract/push-kinds.ts';
import { joinWords, toCountText } from './words.ts';

/** Says how much there is of each kind: '2 requests and 1 message'. */
export function describeNews(kinds: readonly PushKindName[]): string {
  const counts = new Map<PushKindName, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return joinWords([...counts].map(([kind, count]) => toCountText(count, PUSH_KINDS[kind].nouns)));
}
