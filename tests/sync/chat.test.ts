import { beforeAll, describe, expect, it } from 'vitest';
import { CHAT_ACTS, EVENT_OUTCOMES } from './chat/plan.ts';
import { loadChat, playChats, reportChat, shrinkChat, type ChatFound, type ChatRunner } from './chat/search.ts';
import { quantity } from '../support/quantity.ts';

const SEEDS = quantity(16, 200);

describe('two people on three devices', () => {
  let runner: ChatRunner;
  let found: ChatFound;
  beforeAll(async () => {
    runner = await loadChat('chat');
  });

  it(`end with equal lists in ${SEEDS} runs with faults, crashes and missed, doubled and late events`, async () => {
    found = await playChats(runner, 1, SEEDS, { maxFailures: 3 });
    const reports: string[] = [];
    for (const failed of found.failures) reports.push(reportChat(await shrinkChat(runner, failed)));
    expect(reports.join('\n\n')).toBe('');
  });

  it('cover every outcome of an event with enough messages', () => {
    expect(EVENT_OUTCOMES.filter((outcome) => !found.hits.has(`event ${outcome}`))).toEqual([]);
    expect(found.messages).toBeGreaterThan(SEEDS * CHAT_ACTS.length * 0.2);
  });
});

describe('with the basic API', () => {
  it(`two people end with equal lists in ${SEEDS / 2} runs`, async () => {
    const runner = await loadChat('chat-basic');
    const { failures, messages } = await playChats(runner, 1, SEEDS / 2, { maxFailures: 3, isBasic: true });
    const reports: string[] = [];
    for (const failed of failures) reports.push(reportChat(await shrinkChat(runner, failed)));
    expect(reports.join('\n\n')).toBe('');
    expect(messages).toBeGreaterThan(SEEDS * 2);
  });
});
