import { beforeAll, describe, expect, it } from 'vitest';
import { CHAT_ACTS, EVENT_FATES } from './chat/plan.ts';
import { loadChat, playChats, reportChat, shrinkChat, type ChatFound, type ChatRunner } from './chat/search.ts';
import type { Edit } from './world/bundle.ts';

const SEEDS = 200;

describe('two people, three devices', () => {
  let runner: ChatRunner;
  let found: ChatFound;
  beforeAll(async () => {
    runner = await loadChat('chat');
  });

  it(`end with one list in ${SEEDS} lives of faults, crashes, missed, doubled and late events`, async () => {
    found = await playChats(runner, 1, SEEDS, { most: 3 });
    const told: string[] = [];
    for (const failed of found.failures) told.push(reportChat(await shrinkChat(runner, failed)));
    expect(told.join('\n\n')).toBe('');
  });

  it('have met every fate of an event, and said enough to mean something', () => {
    expect(EVENT_FATES.filter((fate) => !found.hits.has(`event ${fate}`))).toEqual([]);
    expect(found.messages).toBeGreaterThan(SEEDS * CHAT_ACTS.length * 0.2);
  });
});

const CHAT = 'src/sync/chat.ts';
const HISTORY = 'src/sync/history.ts';
const MUTANTS: Record<string, Edit[]> = {
  'a message goes out without key and name of its own': [
    { file: 'src/sync/requests.ts', find: "request.headers['idempotency-key'] = row.op;", replace: '' },
    { file: 'src/sync/requests.ts', find: 'message, client_id: clientIdOf(row.target) };', replace: 'message };' },
  ],
  'messages do not wait for each other': [
    {
      file: CHAT,
      find: 'const lane = chatLane(to.conversationId);',
      replace: 'const lane = chatLane(to.conversationId) + op;',
    },
  ],
  'a message that comes late is taken for known': [
    {
      file: CHAT,
      find: 'await db.messages.bulkPut([...all]);',
      replace: 'await db.messages.bulkPut(all.filter((each) => each.seq % 7));',
    },
  ],
  'what was read counts as told whatever came back': [
    { file: HISTORY, find: 'if (!isHeard(answer)) return;', replace: '' },
  ],
  'a star is kept the other way round': [
    {
      file: 'src/sync/requests.ts',
      find: 'row.patch.saved ? STAR : UNSTAR',
      replace: 'row.patch.saved ? UNSTAR : STAR',
    },
  ],
  'what a full pull brings is not kept': [
    {
      file: 'src/sync/pull.ts',
      find: 'messages.filter((message) => message !== null),',
      replace: 'first === null ? [] : messages.filter((message) => message !== null),',
    },
  ],
  'a message leaves without its photo': [{ file: CHAT, find: 'photo === undefined ? [] : [photo];', replace: '[];' }],
  'a photo stays on the device after its message': [
    { file: CHAT, find: 'await dropFiles(ports.db, row);', replace: '' },
  ],
  'an older last message takes the place of a newer': [
    {
      file: CHAT,
      find: 'if (seqOf(record.body.last_message) < last.seq)',
      replace: 'if (seqOf(record.body.last_message) !== last.seq)',
    },
  ],
};

const BARE_MUTANTS: Record<string, Edit[]> = {
  'a message whose answer was lost is sent again without a look': [
    { file: 'src/sync/planner.ts', find: "kind === 'create' || kind === 'send';", replace: "kind === 'create';" },
  ],
  'one with the same words is taken for it': [
    { file: 'src/sync/bare/look-for-message.ts', find: '.slice(last + 1)', replace: '' },
  ],
  'what a list brought first is put beside it': [
    { file: 'src/sync/said.ts', find: 'here.find(({ id }) => id === said.id)?.seq ?? ', replace: '' },
  ],
  'a message takes the place of the newest': [
    { file: 'src/sync/said.ts', find: '(here.at(-1)?.seq ?? 0) + 1', replace: 'Math.max(1, here.at(-1)?.seq ?? 0)' },
  ],
  'a list that came late takes messages away': [
    { file: 'src/sync/bare/pull-chats.ts', find: 'message.seq > before && !ids', replace: 'message.seq < 0 && !ids' },
  ],
  'a list is put beside what was there': [
    {
      file: 'src/sync/bare/pull-chats.ts',
      find: 'const from = moved < 0 ? all.length : moved;',
      replace: 'const from = stored.length;',
    },
  ],
};

describe('on a bare server', () => {
  it(`they end with one list in ${SEEDS / 2} lives as well`, async () => {
    const runner = await loadChat('chat-bare');
    const { failures, messages } = await playChats(runner, 1, SEEDS / 2, { most: 3, isBare: true });
    const told: string[] = [];
    for (const failed of failures) told.push(reportChat(await shrinkChat(runner, failed)));
    expect(told.join('\n\n')).toBe('');
    expect(messages).toBeGreaterThan(SEEDS * 2);
  });

  it.each(Object.keys(BARE_MUTANTS))('a broken chat is caught: %s', async (name) => {
    const runner = await loadChat(`chat-bare-${name}`, BARE_MUTANTS[name]);
    const { failures } = await playChats(runner, 1, SEEDS, { most: 1, isBare: true });
    expect(failures).toHaveLength(1);
  });
});

describe('a broken chat', () => {
  it.each(Object.keys(MUTANTS))('is caught: %s', async (name) => {
    const runner = await loadChat(`chat-${name}`, MUTANTS[name]);
    const { failures } = await playChats(runner, 1, SEEDS, { most: 1 });
    expect(failures).toHaveLength(1);
  });
});
