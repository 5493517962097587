import { loadRunner, type Edit } from '../world/bundle.ts';
import { chatPlanOf, describeChat, type ChatPlan } from './plan.ts';
import type { ChatOutcome, playChat } from './story.ts';

export interface ChatRunner {
  playChat: typeof playChat;
}

/** The chat's world and the engine in one module, with the given changes to the engine. */
export const loadChat = (name: string, edits: readonly Edit[] = []): Promise<ChatRunner> =>
  loadRunner<ChatRunner>(name, edits, 'chat/story.ts');

export interface ChatFound {
  seeds: number;
  requests: number;
  messages: number;
  faults: number;
  hits: Map<string, number>;
  failures: ChatOutcome[];
}

/** Plays seeds in a row; stops after `most` failures. */
export async function playChats(
  runner: ChatRunner,
  from: number,
  count: number,
  { most = Infinity, isBare = false } = {},
): Promise<ChatFound> {
  const found: ChatFound = { seeds: 0, requests: 0, messages: 0, faults: 0, hits: new Map(), failures: [] };
  for (let seed = from; found.seeds < count && found.failures.length < most; seed += 1) {
    const outcome = await runner.playChat(chatPlanOf(seed, { isBare }));
    found.seeds += 1;
    found.requests += outcome.requests;
    found.messages += outcome.messages;
    found.faults += outcome.faults;
    for (const [what, times] of outcome.hits) found.hits.set(what, (found.hits.get(what) ?? 0) + times);
    if (outcome.failure) found.failures.push(outcome);
  }
  return found;
}

/** Leaves out acts and faults, larger parts first, for as long as the same promise stays broken. */
export async function shrinkChat(runner: ChatRunner, failed: ChatOutcome, tries = 200): Promise<ChatOutcome> {
  let best = failed;
  let left = tries;
  const keeps = async (plan: ChatPlan) => {
    left -= 1;
    const outcome = await runner.playChat(plan);
    if (outcome.failure?.rule !== failed.failure?.rule) return false;
    best = outcome;
    return true;
  };
  for (const part of ['faults', 'acts'] as const) {
    for (let size = Math.max(1, best.plan[part].length >> 1); size >= 1 && left > 0; size >>= 1) {
      for (let at = 0; at < best.plan[part].length && left > 0;) {
        const rest = [...best.plan[part].slice(0, at), ...best.plan[part].slice(at + size)];
        if (!(await keeps({ ...best.plan, [part]: rest }))) at += size;
      }
    }
  }
  return best;
}

export function reportChat(outcome: ChatOutcome, lines = 60): string {
  const last = outcome.trace.slice(-lines).map((line) => (line.length > 220 ? `${line.slice(0, 220)}…` : line));
  const broken = outcome.failure ? `${outcome.failure.rule}: ${outcome.failure.message}` : 'nothing';
  return [describeChat(outcome.plan), 'what happened:', ...last, `BROKEN ${broken}`].join('\n');
}
