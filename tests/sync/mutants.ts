import type { Edit } from './world/bundle.ts';

/** A deliberate bug of the engine, one for each known way in which such engines lose or double work, and more. */
export interface Mutant {
  name: string;
  edits: Edit[];
  /** What the seeds that look for it dwell on, where the bug needs a rare meeting; all kinds otherwise. */
  theme?: string;
  /** Which of its seeds, counted from 1, showed it last: no more than where to look first. */
  shownAt?: number;
  /** Shows only with a server without keys. */
  isForeign?: true;
}

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });

export const MUTANTS: Mutant[] = [
  {
    name: 'a: a lost answer makes the next try another change',
    edits: [
      edit(
        'src/sync/requests.ts',
        "request.headers['idempotency-key'] = row.op;",
        "request.headers['idempotency-key'] = row.attempt!;",
      ),
      edit(
        'src/sync/requests.ts',
        '(await wireFields(db, row)), client_id: clientIdOf(row.target) };',
        '(await wireFields(db, row)) };',
      ),
    ],
  },
  {
    name: 'b: a change leaves the queue before it is sent',
    edits: [edit('src/sync/claim.ts', 'await db.outbox.put(sending);', 'await db.outbox.delete(sending.seq);')],
  },
  {
    name: 'c: a refused change is dropped in silence',
    edits: [
      edit(
        'src/sync/commit.ts',
        'return need(context, row, verdict.reason, verdict.error);',
        "return drop(context, row, 'discarded');",
      ),
    ],
  },
  {
    name: 'c: a page of the Wi-Fi is taken for success',
    shownAt: 26,
    edits: [
      edit(
        'src/sync/classify.ts',
        'if (record === null) return {',
        "if (record === null && asked.kind === 'update') return { do: 'done', record: { id: '1' }, existed: false };\n    if (record === null) return {",
      ),
    ],
  },
  {
    name: 'd: nothing wakes the queue until the next edit',
    edits: [edit('src/sync/engine.ts', "cancelTimer = clock.after(Math.max(delay, 0), () => poke('timer'));", '')],
  },
  {
    name: 'e: the clock decides the order',
    theme: 'a clock out of order',
    edits: [
      edit(
        'src/sync/planner.ts',
        'for (const row of input.rows) {',
        'for (const row of [...input.rows].sort((a, b) => a.createdAt - b.createdAt)) {',
      ),
    ],
  },
  {
    name: 'f: a local id ends up in an address',
    edits: [edit('src/sync/requests.ts', 'const id = resolve(row.target);', 'const id = row.target;')],
  },
  {
    name: 'g: the acknowledgement takes two transactions',
    edits: [
      edit(
        'src/sync/acknowledge.ts',
        'const target = await nameRecord(db, row.type, row.target, id);',
        'const { target } = row;\n      context.clock.after(0, () => void nameRecord(db, row.type, target, id));',
      ),
    ],
  },
  {
    name: 'h: what has waited long is thrown away',
    shownAt: 12,
    theme: 'a bad connection',
    edits: [
      edit(
        'src/sync/claim.ts',
        'const { hold: _hold, ...kept } = row;',
        "if (context.clock.now() - row.createdAt > 60_000) {\n    await drop(context, row, 'discarded');\n    return null;\n  }\n  const { hold: _hold, ...kept } = row;",
      ),
    ],
  },
  {
    name: 'i: a save that the storage refused is called saved',
    shownAt: 43,
    edits: [
      edit(
        'src/sync/engine.ts',
        'await save(once);',
        'await save(once).catch(() => void (answer = { id: undefined, op: null } as unknown as T));',
      ),
    ],
  },
  {
    name: 'm: a save whose report was lost is made again',
    theme: 'a failing disk',
    edits: [
      edit('src/sync/engine.ts', 'if (names.includes(name)) return;', ''),
      edit('src/sync/engine.ts', '(minted[at++] ??= chance.uuid())', '(minted[at++] = chance.uuid())'),
    ],
  },
  {
    name: 'j: what another tab wrote before it died is not noticed',
    shownAt: 27,
    theme: 'pages come and go',
    edits: [
      edit(
        'src/sync/engine.ts',
        'if (!started) return;\n    let delay',
        'if (!started || due === null) return;\n    let delay',
      ),
    ],
  },
  {
    name: 'k: one queue for everything',
    edits: [
      edit(
        'src/sync/outbox.ts',
        'const laneOf = (type: string, target: string) => `${type}:${target}`;',
        "const laneOf = (type: string, target: string) => type === 'upload' ? `${type}:${target}` : 'all';",
      ),
    ],
  },
  {
    name: 'no order within a record',
    edits: [
      edit(
        'src/sync/planner.ts',
        'const lane = lanes.get(row.lane);',
        'const lane = lanes.get(`${row.lane}#${row.seq}`);',
      ),
      edit(
        'src/sync/planner.ts',
        'else lanes.set(row.lane, [row]);',
        'else lanes.set(`${row.lane}#${row.seq}`, [row]);',
      ),
    ],
  },
  {
    name: 'an edit is folded into a change that has left',
    edits: [
      edit(
        'src/sync/planner.ts',
        "export const isUnsent = (row: OutboxRow): boolean => row.state === 'queued' && !row.sentOnce;",
        "export const isUnsent = (row: OutboxRow): boolean => row.state === 'queued' || row.state === 'sending';",
      ),
    ],
  },
  {
    name: 'a change leaves before the disk knows that it did',
    edits: [edit('src/sync/claim.ts', 'sentOnce: true,', 'sentOnce: false,')],
  },
  {
    name: 'an edit typed during the first one meets it as a stranger',
    shownAt: 26,
    edits: [edit('src/sync/planner.ts', 'out.push({ ...row, base, baseVersion });', '')],
  },
  {
    name: 'our words win over what another device wrote',
    shownAt: 14,
    edits: [edit('src/sync/conflict.ts', 'if (conflicts.length > 0) {', 'if (conflicts.length > 99) {')],
  },
  {
    name: 'bytes go when they are uploaded, not when they are attached',
    edits: [
      edit(
        'src/sync/acknowledge.ts',
        "await db.media.put({ ...file, state: 'sent', offset: file.size });",
        "{ await db.media.put({ ...file, state: 'sent', offset: file.size }); await db.chunks.where('[media+n]').between([file.id, 0], [file.id, Infinity]).delete(); }",
      ),
    ],
  },
  {
    name: 'a piece of a file is read from the wrong place',
    edits: [
      edit(
        'src/sync/uploads.ts',
        'const from = Math.max(offset, chunkStart) - chunkStart;',
        'const from = Math.max(0, Math.max(offset, chunkStart) - chunkStart - 1);',
      ),
    ],
  },
  {
    name: 'a photo is attached before its bytes are there',
    edits: [edit('src/sync/planner.ts', 'if (input.ids.has(dep)) return true;', 'return true;')],
  },
  {
    name: "one person's work leaves under another's token",
    edits: [
      edit(
        'tests/sync/world/network.ts',
        'const isOwn = session !== null && session.userId === userId;',
        'const isOwn = session !== null;',
      ),
    ],
  },
  {
    name: 'what a dead page was sending is never picked up',
    shownAt: 30,
    edits: [edit('src/sync/runner.ts', 'await recover({ db, features, clock: ports.clock });', '')],
  },
  {
    name: 'signing in again does not end the pause',
    edits: [edit('src/sync/engine.ts', "await db.meta.delete('auth-paused');", '')],
  },
  {
    name: 'a refusal of an older token pauses the new one',
    shownAt: 36,
    theme: 'two people and one phone',
    edits: [edit('src/sync/pauses.ts', 'if ((await countSignIns(db)) === signInsThen) await', 'await')],
  },
  {
    name: 'a correction loses the edits queued behind it',
    theme: 'refusals',
    edits: [edit('src/sync/outbox.ts', 'patch = { ...patch, ...later.patch };', '')],
  },
  {
    name: 'giving one change up gives up the rest',
    shownAt: 50,
    theme: 'refusals',
    edits: [
      edit(
        'src/sync/cures.ts',
        'const falls = wasNeverMade ? lane : [wanted];',
        'const falls = [...lane, ...(await db.outbox.toArray())];',
      ),
    ],
  },
  {
    name: 'a record that may have been made is forgotten with its delete',
    shownAt: 61,
    theme: 'a bad connection',
    edits: [
      edit('src/sync/planner.ts', 'if (create && (isUnsent(create) || isRefused(create)))', 'if (create)'),
      edit(
        'src/sync/planner.ts',
        'const everythingFalls = coalesceDelete(lane.slice(0, removalAt)).drop.length === removalAt;',
        'const everythingFalls = true;',
      ),
    ],
  },
  {
    name: 'a clock set back puts the queue to sleep for a year',
    shownAt: 44,
    edits: [
      edit(
        'src/sync/planner.ts',
        'return row.notBefore > now + longest ? now : row.notBefore;',
        'return longest > 0 ? row.notBefore : now;',
      ),
    ],
  },
  {
    name: 'a late answer brings a deleted record back',
    shownAt: 14,
    theme: 'another device',
    edits: [edit('src/sync/acknowledge.ts', 'if (row.recheck) await db.cursors.clear();', '')],
  },
  {
    name: 'the screen shows the server’s words over unsent ones',
    shownAt: 49,
    edits: [
      edit(
        'src/db/fold.ts',
        'next.body = { ...item.body, ...row.patch };',
        'next.body = { ...row.patch, ...item.body };',
      ),
    ],
  },
  {
    name: 'a full pull cut off in the middle goes on as if it were whole',
    theme: 'another device',
    edits: [edit('src/sync/pull.ts', 'if (first === null && page.has_more) return true;', '')],
  },
  {
    name: 'the first wish for a bookmark stands',
    shownAt: 13,
    theme: 'other people',
    edits: [
      edit(
        'src/sync/people.ts',
        'if (last?.patch.saved === saved && !isRefused(last)) return { op: last.op };',
        'if (last && !isRefused(last)) return { op: last.op };',
      ),
    ],
  },
  {
    name: 'a bookmark taken off is put on again',
    theme: 'other people',
    edits: [
      edit(
        'src/sync/requests.ts',
        'row.patch.saved ? ENGINE_CALLS.saveProfile',
        'row.patch ? ENGINE_CALLS.saveProfile',
      ),
    ],
  },
  {
    name: 'a request to connect is dropped when somebody asked before',
    theme: 'other people',
    edits: [
      edit(
        'src/sync/people.ts',
        "return wish(ports, whom, 'accept', { connection: connectionId });",
        'return { op: ports.chance.uuid() + whom.name + connectionId };',
      ),
    ],
  },
  {
    name: 'what is told of a medium in its metadata stands nowhere',
    theme: 'a portfolio',
    edits: [
      edit(
        'src/db/media-body.ts',
        "if (type !== 'media' || !Array.isArray(body.metadata)) return body;",
        'if (type.length > 0) return body;',
      ),
    ],
  },
  {
    name: 'a bookmark of a medium is never taken off',
    shownAt: 72,
    theme: 'a portfolio',
    edits: [
      edit('src/sync/requests.ts', 'row.patch.saved ? ENGINE_CALLS.saveMedia', 'row.patch ? ENGINE_CALLS.saveMedia'),
    ],
  },
  {
    name: 'a bare server’s list of photos tells that the videos are gone',
    theme: 'a portfolio',
    edits: [
      edit(
        'src/sync/bare/pull-lists.ts',
        'const before = await keysOf(db, type, profileId, holds);',
        'const before = await keysOf(db, type, profileId);',
      ),
    ],
    isForeign: true,
  },
];
