import { describe, expect, it } from 'vitest';
import { loadChat, playChats } from './chat/search.ts';
import type { Edit } from './world/bundle.ts';

/** Each deliberate bug must show within these seeds. */
const SEEDS = 200;

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

describe('a broken chat', () => {
  it.each(Object.keys(MUTANTS))('is caught: %s', async (name) => {
    const runner = await loadChat(`chat-${name}`, MUTANTS[name]);
    const { failures } = await playChats(runner, 1, SEEDS, { most: 1 });
    expect(failures).toHaveLength(1);
  });
});

describe('a broken chat on a bare server', () => {
  it.each(Object.keys(BARE_MUTANTS))('is caught: %s', async (name) => {
    const runner = await loadChat(`chat-bare-${name}`, BARE_MUTANTS[name]);
    const { failures } = await playChats(runner, 1, SEEDS, { most: 1, isBare: true });
    expect(failures).toHaveLength(1);
  });
});
