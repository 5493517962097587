import { getRequestState, type RequestState } from '#contract/casting/state.ts';
import type { AuditionView } from '#db/casting.ts';
import type { LocalTakes } from '#db/takes.ts';
import { hasTape } from '#shared/casting/takes-tape.ts';

export const GROUPS = { todo: 'To do', casting: 'With casting', over: 'Over' } as const;
export type Group = keyof typeof GROUPS;

/** Nothing is left to do for the performer but to wait. */
const WITH_CASTING: readonly RequestState[] = ['arrived', 'watched', 'answered'];

/** What the performer does with an audition next: something, wait, or nothing. */
export function getGroup({ body, tapes }: AuditionView): Group {
  const state = getRequestState(body);
  if (state === 'withdrawn' || state === 'declined' || body.role.status !== 'open') return 'over';
  if (body.answers.at(-1)?.kind === 'no_thank_you') return 'over';
  return WITH_CASTING.includes(state) || hasTape({ tapes }) ? 'casting' : 'todo';
}

/** An audition in the state of its newest tape, while that is not with casting: nothing else matters more to its performer. */
export function withTapeState(item: AuditionView): AuditionView {
  const [newest] = item.tapes;
  if (newest === undefined || newest.state !== 'saved') return newest ? { ...item, state: newest.state } : item;
  return !hasTape(item) && getGroup(item) === 'todo' ? { ...item, state: 'needs' } : item;
}

/** The takes that this device has for an audition of which nothing was sent yet; undefined if there are none, or it is over. */
export function getUnsentTakes(
  item: AuditionView,
  takesOf: ReadonlyMap<string, LocalTakes> | undefined,
): LocalTakes | undefined {
  return getGroup(item) === 'todo' && item.tapes.length === 0 && item.state === 'saved'
    ? takesOf?.get(item.id)
    : undefined;
}

/** Splits auditions for the list. Those with the next deadline come first; what is over, with the last one. */
export function group(items: readonly AuditionView[]): Record<Group, AuditionView[]> {
  const groups: Record<Group, AuditionView[]> = { todo: [], casting: [], over: [] };
  for (const item of items) groups[getGroup(item)].push(item);
  groups.over.reverse();
  return groups;
}
