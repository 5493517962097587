import { liveQuery } from 'dexie';
import type { MediaType } from '#contract/media-types.ts';
import type { AccountDb } from '#db/database.ts';
import type { SavedCards, SavedType } from '#db/people.ts';
import type { JournalEntry, MediaFile } from '#db/rows.ts';
import { depsOf } from './send/claim.ts';
import { backoffMs } from './send/commit.ts';
import * as chat from './pull/messages.ts';
import { fetchHistory, type Side, tellReadings } from './pull/history.ts';
import { countSignIns, pauseForSignIn, quietLeftMs, quietTransport } from './send/rate-limit.ts';
import * as cures from './queue/resolutions.ts';
import { knownFeatures, learnFeatures } from './server/learn.ts';
import { dropFile, importFile, type ImportOptions, type PickedFile } from './files/import.ts';
import { createProfile, type FirstRow } from './queue/create-profile.ts';
import { oneAtATime } from './one-at-a-time.ts';
import * as outbox from './queue/outbox.ts';
import * as connections from './queue/connections.ts';
import { markSeen } from './queue/mark-seen.ts';
import * as toggles from './queue/toggles.ts';
import type { Values } from './queue/outbox.ts';
import { nextDue } from './queue/planner.ts';
import type { EnginePorts } from './engine-ports.ts';
import { pull } from './pull/pull.ts';
import { createRecord } from './operations/create-record.ts';
import { getSavedText } from './operations/index.ts';
import { setAvatar } from './operations/set-avatar.ts';
import type { DisconnectReason } from '#db/patches.ts';
import { drainExclusively, endNetworkWaits, waitsIn } from './send/lease.ts';
import type { Drain, Drained } from './send/sender.ts';
import { guarded, guardedRead } from './storage-error.ts';

/** Why the queue should move. All but an edit and a timer also end the waits that a missing network caused. */
export type Cause = 'enqueue' | 'start' | 'online' | 'visible' | 'tap' | 'timer' | 'sync' | 'signed in';

/** A change reached its end or its next state, in this tab, another one or the worker. */
export interface EngineEvent {
  kind: JournalEntry['kind'];
  type: string;
  op: string;
  title: string;
  to: JournalEntry['to'];
  /** The words for an acknowledged change, where its section has some. */
  savedText?: string;
}

const DRAIN_BUDGET_MS = 120_000;
/** How soon to look again when another tab holds the lock. */
const BUSY_RETRY_MS = 15_000;
/** How long a pull waits for what is to be sent. */
const NEWS_WAIT_MS = 3000;
const LONGEST_SLEEP_MS = 300_000;
/** Several tabs write to one store; one of them repeats a write within moments. */
const REMEMBERED_WRITES = 16;

export type Engine = ReturnType<typeof createEngine>;

/**
 * The engine of one account over its store: saves at once, sends when it can. Any number may run over one store; the
 * lock spares work, keys and transactions keep it right. See src/sync/README.md.
 */
export function createEngine(db: AccountDb, ports: EnginePorts) {
  const { clock, chance } = ports;
  const outboxPorts = { db, clock, chance };
  const besides = { ...ports, transport: quietTransport(db, ports) };
  const holder = chance.uuid();
  let running: Promise<Drained> | null = null;
  let drain: Drain | null = null;
  let again = false;
  let started = false;
  let cancelTimer: (() => void) | null = null;
  let silentRuns = 0;
  let isPullNoted = false;
  let failedPulls = 0;
  let cancelPull: (() => void) | null = null;
  let lastSave: Promise<unknown> = Promise.resolve();
  const { run: tell, end: endTelling } = oneAtATime(tellOnce);
  const { run: pullNow, end: endPulling } = oneAtATime(pullOnce, tell);

  const save = <T>(work: () => Promise<T>): Promise<T> =>
    guarded(db, work, () => ports.dropCaches?.() ?? Promise.resolve());
  /**
   * Makes a write of the person's exactly once and sets the queue moving. A transaction can commit although its
   * connection reports a loss: its name stands on the disk beside what it wrote, and the repeat mints the same ids.
   */
  const savedOnce = async <T>(work: (ports: outbox.OutboxPorts) => Promise<T>): Promise<T> => {
    const name = chance.uuid();
    const minted: string[] = [];
    let answer!: T;
    const once = () =>
      db.transaction('rw', [...outbox.tablesOf(db), db.visited, db.seen], async () => {
        const last = await db.meta.get('writes');
        const names = last?.k === 'writes' ? last.names : [];
        if (names.includes(name)) return;
        let at = 0;
        const uuid = () => (minted[at++] ??= chance.uuid());
        answer = await work({ db, clock, chance: { ...chance, uuid } });
        await db.meta.put({ k: 'writes', names: [name, ...names].slice(0, REMEMBERED_WRITES) });
      });
    await save(once);
    poke('enqueue');
    return answer;
  };
  /** One after the other, as they were made: one that the store made wait must not be written over a later one. */
  const saved = <T>(work: (ports: outbox.OutboxPorts) => Promise<T>): Promise<T> => {
    const next = lastSave.then(() => savedOnce(work));
    lastSave = next.catch(() => undefined);
    return next;
  };

  function poke(cause: Cause): void {
    if (!started) return;
    ports.requestWake?.();
    // The store failed under a run of its own accord: nothing is lost, look again soon. A person's own write reports it.
    moveOn(cause).catch(lookAgain);
  }

  function lookAgain(): void {
    if (!started) return;
    cancelTimer?.();
    cancelTimer = clock.after(BUSY_RETRY_MS, () => poke('timer'));
  }

  async function moveOn(cause: Cause): Promise<void> {
    // A start asks the server anew: the sign-in that ended a pause may have died before it could say so here.
    if (cause === 'start') await save(() => db.meta.delete('auth-paused'));
    if (cause !== 'enqueue' && cause !== 'timer') await endWaits();
    const draining = drainNow(DRAIN_BUDGET_MS);
    if (cause !== 'enqueue' && cause !== 'timer' && (await forAWhile(draining)) !== 'network') await pullNow();
    await draining;
  }

  /** What leaves first spares the screen a flicker; but a video on its way must not keep the news from the person. */
  function forAWhile(draining: Promise<Drained>): Promise<Drained> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(NEWS_WAIT_MS, () => resolve('waiting'));
      draining.finally(cancel).then(resolve, reject);
    });
  }

  async function endWaits(): Promise<void> {
    silentRuns = 0;
    await save(() => endNetworkWaits(db));
  }

  /** One drain at a time in this context; a call during one makes it run once more. */
  async function drainNow(budgetMs: number): Promise<Drained> {
    if (running) {
      again = true;
      return running;
    }
    cancelTimer?.();
    running = drainExclusively(db, ports, holder, budgetMs, (started) => (drain = started));
    let result: Drained;
    try {
      result = await running;
    } catch (error) {
      lookAgain();
      throw error;
    } finally {
      running = null;
      drain = null;
    }
    silentRuns = result === 'network' ? silentRuns + 1 : 0;
    if (again && started) {
      again = false;
      if (result !== 'network') return drainNow(budgetMs);
    }
    again = false;
    if (started) {
      lookAgain();
      await armTimer(result);
    }
    return result;
  }

  /**
   * Re-armed after every run, so that nothing ever waits for the next edit to move; with nothing to send too, for
   * another tab may write and die.
   */
  async function armTimer(last: Drained): Promise<void> {
    const features = (await knownFeatures(db)) ?? { uploads: true };
    const now = clock.now();
    let due: number | null = null;
    // Something due at the head of the queue is as soon as anything can be; only a queue that waits is read to its end.
    for (let count = 32; ; count *= 4) {
      const rows = await db.outbox.orderBy('seq').limit(count).toArray();
      due = nextDue({ rows, ...(await depsOf(db, rows)), now, features });
      if (rows.length < count || (due !== null && due <= now)) break;
    }
    if (!started) return;
    let delay = due === null ? LONGEST_SLEEP_MS : Math.min(due - now, LONGEST_SLEEP_MS);
    if (last === 'network')
      delay = Math.max(
        delay,
        backoffMs(silentRuns, () => chance.random()),
        500,
      );
    if (last === 'paused') delay = Math.max(delay, await pauseMs());
    if (last === 'waiting' && due !== null && due <= now) delay = Math.max(delay, BUSY_RETRY_MS);
    cancelTimer?.();
    cancelTimer = clock.after(Math.max(delay, 0), () => poke('timer'));
  }

  /** Of a pause: what the server asked for, or as long as it takes the person to sign in. */
  async function pauseMs(): Promise<number> {
    const left = await quietLeftMs(db, clock.now());
    return left === 0 ? LONGEST_SLEEP_MS : Math.min(Math.max(left, 1000), LONGEST_SLEEP_MS);
  }

  /** Says how far conversations are read here. */
  async function tellOnce(): Promise<void> {
    if (!started || (await db.meta.get('auth-paused'))) return;
    // Whom it is nothing to, is not told.
    if ((await knownFeatures(db))?.sync !== true) return;
    await save(() => tellReadings(db, besides));
  }

  async function pullOnce(): Promise<void> {
    if (await db.meta.get('auth-paused')) return;
    const features = await learnFeatures(db, besides);
    const signIns = await countSignIns(db);
    const result = features === null ? 'unreachable' : await save(() => pull(db, besides, features));
    cancelPull?.();
    failedPulls = result === 'unreachable' ? failedPulls + 1 : 0;
    if (result === 'unreachable') pullLater(await quietLeftMs(db, clock.now()));
    if (result === 'sign in') await save(() => pauseForSignIn({ db, clock }, signIns));
    if (result === 'done' && !isPullNoted) {
      await save(() => db.meta.put({ k: 'pulled', at: clock.now() }));
      isPullNoted = true;
    }
  }

  /**
   * On a server that tells of no conversations: reads this one anew. False where that did not succeed, null where a
   * server tells by itself, or nothing is known of it here.
   */
  async function refresh(conversationId: string): Promise<boolean | null> {
    if ((await knownFeatures(db))?.sync !== false || (await db.meta.get('auth-paused'))) return null;
    const { pullConversation } = await import('./server/basic/pull-chats.ts');
    const pulled = await save(() => pullConversation(db, besides, conversationId));
    return pulled && pulled === 'done';
  }

  /** A mirror that could not be read is asked for again, or a first visit on bad network would stay empty. */
  function pullLater(quietMs = 0): void {
    if (!started) return;
    cancelPull?.();
    const ms = Math.max(quietMs, 1000 + backoffMs(failedPulls, () => chance.random()));
    cancelPull = clock.after(ms, () => void pullNow().catch(() => pullLater()));
  }

  return {
    db,

    /** Saves a new record; resolves when it is on disk. Throws StorageTrouble when it could not be kept. */
    create: (type: string, parent: string | null, fields: Values) =>
      saved((ports) => outbox.create(ports, type, parent, fields)),
    /** Saves a new profile and its first rows, all or none. */
    createProfile: (fields: Values, rows: readonly FirstRow[]) => saved((ports) => createProfile(ports, fields, rows)),
    /** Saves changed fields only. For a section of one value (about me) `id` is the profile's. */
    update: (type: string, id: string, changed: Values) => saved((ports) => outbox.update(ports, type, id, changed)),
    /** Deletes after a hold of five seconds. */
    remove: (type: string, id: string) => saved((ports) => outbox.remove(ports, type, id)),
    /** Takes a delete back; false when it has left. */
    undo: (op: string) => saved((ports) => outbox.undo(ports, op)),
    /** Stores a picked file; resolves when every byte is on disk. */
    importFile: (file: PickedFile, options?: ImportOptions): Promise<MediaFile> => importFile(db, ports, file, options),
    dropFile: (mediaId: string) => save(() => dropFile(db, mediaId)),
    /** Queues a stored file as an item of the portfolio. `fields`: its kind's, with `media_type`. */
    addMedia: (profileId: string, mediaId: string, fields: Values & { media_type: MediaType }) =>
      saved((ports) => outbox.attachFile(ports, createRecord, { type: 'media', profileId, mediaId, patch: fields })),
    /** Queues a video that lies on YouTube. */
    addLink: (profileId: string, fields: Values & { youtube_url: string }) =>
      saved((ports) => outbox.create(ports, 'media', profileId, { ...fields, media_type: 'video' })),
    setAvatar: (profileId: string, mediaId: string) =>
      saved((ports) => outbox.attachFile(ports, setAvatar, { type: 'profile', profileId, mediaId, patch: {} })),

    /** Saves a profile or a medium, or lets it go; the last wish wins. */
    setSaved: <T extends SavedType>(type: T, card: SavedCards[T], wanted: boolean) =>
      saved((ports) => toggles.setSaved(ports, type, card, wanted)),
    /** Asks somebody to connect; goes out when it can. */
    connect: (whom: connections.Person, message?: string) =>
      saved((ports) => connections.connect(ports, whom, message)),
    /** Says yes to somebody who asked. */
    accept: (whom: connections.Person, connectionId: string) =>
      saved((ports) => connections.accept(ports, whom, connectionId)),

    /** Queues a message behind those before it. `photo`: the id of a stored file; with one there need be no words. */
    sendMessage: (to: chat.Recipient, text: string, photo?: string) =>
      saved((ports) => chat.sendMessage(ports, to, text, photo)),
    setStarred: (conversation: { id: string; name: string }, starred: boolean) =>
      saved((ports) => toggles.setStarred(ports, conversation, starred)),
    /** The person has read up to this number: kept here, told when it can be. */
    async markRead(conversationId: string, seq: number): Promise<void> {
      await save(() => chat.markRead(db, conversationId, seq));
      if (started) await tell();
    },
    /** A message that came live; what is missing before it is pulled. */
    async hear(message: unknown): Promise<void> {
      const heard = chat.messageOf(message);
      // Without a number it only says where something was said.
      if (heard === null && (await refresh(chat.placeOf(message)))) return;
      const isMissing = heard === null || (await save(() => chat.hear(outboxPorts, heard)));
      await (isMissing ? pullNow() : tell());
    },
    hearReceipt: (receipt: Parameters<typeof chat.hearReceipt>[1]) => save(() => chat.hearReceipt(db, receipt)),
    /** A conversation is on the screen: where only asking tells what is said in it, it is asked for. */
    refresh,
    /** Fetches messages that are not on this device; false where nobody answered. */
    fetchHistory: async (conversation: { id: string; connectionId: string }, side: Side, limit: number) =>
      (await refresh(conversation.id)) ??
      save(() => fetchHistory({ ...outboxPorts, transport: besides.transport }, conversation, side, limit)),
    /** Takes a request back, declines one, ends a connection or blocks somebody; all but a block can be undone for five seconds. */
    part: (whom: connections.Person, way: DisconnectReason, connectionId: string | null) =>
      saved((ports) => connections.disconnect(ports, whom, way, connectionId)),
    /** The person has seen these notifications. */
    markSeen: (ids: readonly string[]) => saved((ports) => markSeen(ports, ids)),

    fix: (refused: Parameters<typeof cures.fix>[1], fields: Values) =>
      saved((ports) => cures.fix(ports, refused, fields)),
    replaceFile: (op: string, mediaId: string) => saved((ports) => cures.replaceFile(ports, op, mediaId)),
    settle: (op: string, choice: Record<string, 'mine' | 'theirs'>) =>
      saved((ports) => cures.settle(ports, op, choice)),
    recreate: (op: string) => saved((ports) => cures.recreate(ports, op)),
    sendAgain: (op: string) => saved((ports) => cures.sendAgain(ports, op)),
    /** Looks whether an unsure change is on the server already. */
    check: (op: string) => saved((ports) => cures.check(ports, op)),
    discard: (op: string) => saved((ports) => cures.discard(ports, op)),
    discardAll: () => save(() => cures.discardAll(outboxPorts)),

    start(): void {
      if (started) return;
      started = true;
      poke('start');
    },
    /** Ends in an orderly way: what is on its way is answered first. */
    async stop(): Promise<void> {
      started = false;
      cancelTimer?.();
      cancelPull?.();
      drain?.stop();
      const pulled = endPulling();
      await running?.catch(() => undefined);
      await pulled;
      await endTelling();
    },
    poke,
    /** The person asks: every wait ends, then everything due goes out. */
    async tryNow(): Promise<Drained> {
      await endWaits();
      await save(() =>
        waitsIn(db, ['queued'])
          .filter((row) => row.hold !== true)
          .modify({ notBefore: 0 }),
      );
      const drained = await drainNow(DRAIN_BUDGET_MS);
      if (drained !== 'network') await pullNow();
      return drained;
    },
    /** Sends what is due now, for at most `budgetMs`. */
    drain: drainNow,
    pull: pullNow,
    /** The token is good again: the pause ends. */
    async signedIn(): Promise<void> {
      await save(() =>
        db.transaction('rw', db.meta, async () => {
          await db.meta.delete('auth-paused');
          await db.meta.put({ k: 'sign-ins', count: (await countSignIns(db)) + 1 });
        }),
      );
      poke('signed in');
    },
    /** Tells of every row that moves from now on, whoever moved it. */
    on(listener: (event: EngineEvent) => void): () => void {
      let last: number | null = null;
      const read = async () => {
        if (last !== null) return db.journal.where('n').above(last).toArray();
        const newest = await db.journal.orderBy('n').last();
        return newest ? [newest] : [];
      };
      // Dexie drops an aborted read without a word: what moved would be told with the next move, if there is one.
      // eslint-disable-next-line no-restricted-syntax -- no screen, and read again by its own means
      const subscription = liveQuery(async () => guardedRead(db, read)).subscribe((entries) => {
        const isFirst = last === null;
        last = entries.at(-1)?.n ?? last ?? 0;
        if (isFirst) return;
        for (const { kind, type, op, title, to, said } of entries) {
          const savedText = to === 'done' ? (said ?? getSavedText(kind, type)) : undefined;
          listener({ kind, type, op, title, to, ...(savedText && { savedText }) });
        }
      });
      return () => subscription.unsubscribe();
    },
  };
}
