import { PUSH_KINDS, type PushKindName } from '#contract/push-kinds.ts';

const countText = (count: number, [one, more]: readonly [string, string]) => `${count} ${count === 1 ? one : more}`;

/** Says how much there is of each kind: '2 requests and 1 message'. */
export function describeNews(kinds: readonly PushKindName[]): string {
  const counts = new Map<PushKindName, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].map(([kind, count]) => countText(count, PUSH_KINDS[kind].nouns));
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}
