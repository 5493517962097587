import type { ChatPlan } from '../chat/plan.ts';
import { playChat, type ChatOutcome } from '../chat/play.ts';
import { setBug } from './active.ts';
import { BASIC_API_CHAT_BUGS, CHAT_BUGS } from './chat-catalog.ts';

/** Plays a chat plan with one bug in the engine. */
export async function playBrokenChat(plan: ChatPlan, bug: string): Promise<ChatOutcome> {
  const found = [...CHAT_BUGS, ...BASIC_API_CHAT_BUGS].find(({ name }) => name === bug);
  if (!found) throw new Error(`unknown bug: ${bug}`);
  setBug(found);
  try {
    return await playChat(plan);
  } finally {
    setBug(null);
  }
}
