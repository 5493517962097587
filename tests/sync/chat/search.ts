import { loadRunner, type Edit } from '../simulation/bundle.ts';
import { shrinkPlan, getLastLines } from '../simulation/run-scenario.ts';
import { createChatPlan, describeChat } from './plan.ts';
import type { ChatOutcome, playChat } from './play.ts';

export interface ChatRunner {
  playChat: typeof playChat;
}

/** Bundles the chat simulation and the engine into one module, with the given edits of the engine. */
export const loadChat = (name: string, edits: readonly Edit[] = []): Promise<ChatRunner> =>
  loadRunner<ChatRunner>(name, edits, 'chat/play.ts');

export interface ChatFound {
  seeds: number;
  requests: number;
  messages: number;
  faults: number;
  hits: Map<string, number>;
  failures: ChatOutcome[];
}

/** Plays consecutive seeds and stops after `maxFailures` failures. */
export async function playChats(
  runner: ChatRunner,
  from: number,
  count: number,
  { maxFailures = Infinity, isBasic = false } = {},
): Promise<ChatFound> {
  const found: ChatFound = { seeds: 0, requests: 0, messages: 0, faults: 0, hits: new Map(), failures: [] };
  for (let seed = from; found.seeds < count && found.failures.length < maxFailures; seed += 1) {
    const outcome = await runner.playChat(createChatPlan(seed, { isBasic }));
    found.seeds += 1;
    found.requests += outcome.requests;
    found.messages += outcome.messages;
    found.faults += outcome.faults;
    for (const [what, times] of outcome.hits) found.hits.set(what, (found.hits.get(what) ?? 0) + times);
    if (outcome.failure) found.failures.push(outcome);
  }
  return found;
}

/** Shrinks a failing plan to the smallest one that breaks the same invariant. */
export const shrinkChat = (runner: ChatRunner, failed: ChatOutcome): Promise<ChatOutcome> =>
  shrinkPlan((plan) => runner.playChat(plan), failed);

export function reportChat(outcome: ChatOutcome): string {
  const broken = outcome.failure ? `${outcome.failure.rule}: ${outcome.failure.message}` : 'nothing';
  return [describeChat(outcome.plan), 'what happened:', ...getLastLines(outcome.trace), `BROKEN ${broken}`].join('\n');
}
