import { beforeAll, describe, expect, it } from 'vitest';
import { BASIC_API_CHAT_BUGS, CHAT_BUGS } from './bugs/chat-catalog.ts';
import type * as Broken from './bugs/chat-run.ts';
import { loadBroken } from './bugs/search.ts';
import { createChatPlan } from './chat/plan.ts';

/** Each deliberate bug must show within these seeds. */
const SEEDS = 100;

describe('a deliberate bug in the chat', () => {
  let runner: Pick<typeof Broken, 'playBrokenChat'>;

  beforeAll(async () => {
    runner = await loadBroken('chat-bugs', [...CHAT_BUGS, ...BASIC_API_CHAT_BUGS], 'bugs/chat-run.ts');
  });

  async function hunt(bug: string, isBasic: boolean): Promise<number | null> {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { failure } = await runner.playBrokenChat(createChatPlan(seed, { isBasic }), bug);
      if (!failure) continue;
      console.log(`${bug}: seed ${seed}, ${failure.message.split('\n')[0]?.slice(0, 160) ?? ''}`);
      return seed;
    }
    return null;
  }

  it.each(CHAT_BUGS)('is caught: $name', async ({ name }) => {
    expect(await hunt(name, false)).not.toBeNull();
  });

  it.each(BASIC_API_CHAT_BUGS)('is caught with the basic API: $name', async ({ name }) => {
    expect(await hunt(name, true)).not.toBeNull();
  });
});
