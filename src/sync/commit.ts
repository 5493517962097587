import { SECTIONS } from '#contract/sections/index.ts';
import { homeOf, isLocal, serverId } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import type { Features, MirrorRecord, OutboxRow, Reason } from '#db/rows.ts';
import type { Verdict } from './classify.ts';
import { merge3, pick, sameValue } from './merge.ts';
import { append, drop, laneRows, type OutboxPorts, renewed, tablesOf, type Values, writeJournal } from './outbox.ts';
import { coalesceDelete, nextOps, type PlanInput, rebase } from './planner.ts';

/** A row on its way, with the server ids it needs. */
export interface Claimed {
  row: OutboxRow;
  ids: ReadonlyMap<string, string>;
  /** Rows waiting on this device, for X-Pending. */
  pending: number;
  /** Sign-ins so far, to tell a refusal of this token from one of an older. */
  signIns: number;
}

export interface Settled {
  row: OutboxRow;
  verdict: Verdict;
  /** As it was when the row was claimed. */
  signIns: number;
}

export interface StepContext extends OutboxPorts {
  features: Features;
  /** True when other work went through since this row's trouble began: then the trouble is the row's own. */
  othersSucceed(op: string): boolean;
}

const SUSPECT_AFTER = 8;
const SUSPECT_RETRY_MS = 24 * 3_600_000;
const RESEND_LIMIT = 3;

/** Full jitter between nothing and a bound that doubles from 2 s to 5 min. */
export function backoffMs(tries: number, random: () => number): number {
  return Math.round(random() * Math.min(300_000, 2000 * 2 ** Math.min(tries, 10)));
}

/**
 * One transaction: what the settled answers mean for their rows, and the next rows to send. An acknowledgement is
 * whole or not at all: server copy, id, released bytes, rebased followers and the row's end stand in the same commit.
 */
export async function step(
  context: StepContext,
  settled: readonly Settled[],
  want: { json: number; upload: number },
): Promise<Claimed[]> {
  const { db } = context;
  return db.transaction('rw', tablesOf(db), async () => {
    for (const each of settled) await settleRow(context, each);
    return want.json + want.upload > 0 ? claim(context, want) : [];
  });
}

export async function countSignIns(db: AccountDb): Promise<number> {
  const row = await db.meta.get('sign-ins');
  return row?.k === 'sign-ins' ? row.count : 0;
}

/** How long the server still wants quiet; 0 where it does not, or where the clock went back since it asked. */
export async function quietLeftMs(db: AccountDb, now: number): Promise<number> {
  const quiet = await db.meta.get('quiet');
  return quiet?.k === 'quiet' && now >= quiet.since ? Math.max(0, quiet.until - now) : 0;
}

/** The token was refused: nothing leaves until the person signs in, unless they have done so since the call left. */
export async function pauseForSignIn(
  { db, clock }: Pick<StepContext, 'db' | 'clock'>,
  signInsThen: number,
): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    if ((await countSignIns(db)) === signInsThen) await db.meta.put({ k: 'auth-paused', at: clock.now() });
  });
}

/** Rows left `sending` by a context that died: their outcome is unknown, so the same key goes again, or a look first. */
export async function recover(context: Pick<StepContext, 'db' | 'features' | 'clock'>): Promise<void> {
  const { db, features } = context;
  await db.transaction('rw', tablesOf(db), async () => {
    for (const row of await db.outbox.filter((each) => each.state === 'sending').toArray()) {
      const look = row.checking === true || (!features.keys && row.kind === 'create');
      const { attempt: _attempt, checking: _checking, ...kept } = row;
      await writeJournal(context, row, look ? 'verify' : 'queued');
      await db.outbox.put({ ...kept, state: look ? 'verify' : 'queued' });
    }
  });
}

async function settleRow(context: StepContext, { row: sent, verdict, signIns }: Settled): Promise<void> {
  const { db, clock, chance, features } = context;
  const row = await db.outbox.get(sent.seq);
  // Another context took over, or the person dropped it: this answer is not ours to act on.
  if (row === undefined || row.op !== sent.op || row.attempt !== sent.attempt) return;
  const { attempt: _attempt, checking: _checking, ...idle } = row;
  switch (verdict.do) {
    case 'done':
      return acknowledge(context, row, verdict);
    case 'again': {
      const trouble = verdict.trouble ? row.trouble + 1 : 0;
      const suspect = trouble >= SUSPECT_AFTER && context.othersSucceed(row.op);
      const look = verdict.unknown && !features.keys && row.kind === 'create';
      const wait = verdict.afterMs ?? backoffMs(row.tries, () => chance.random());
      const next: OutboxRow = {
        ...idle,
        trouble,
        lastError: verdict.error,
        ...(suspect
          ? { state: 'attention', reason: 'suspect', notBefore: clock.now() + SUSPECT_RETRY_MS }
          : { state: look ? 'verify' : 'queued', notBefore: clock.now() + wait }),
      };
      if (!suspect) delete next.reason;
      await writeJournal(context, row, next.state, { status: verdict.error.status });
      await db.outbox.put(next);
      return;
    }
    case 'quiet':
      await db.meta.put({ k: 'quiet', since: clock.now(), until: clock.now() + verdict.ms });
      await park(context, row, { ...idle, state: row.checking ? 'verify' : 'queued', lastError: verdict.error });
      return;
    case 'sign-in':
      await pauseForSignIn(context, signIns);
      await park(context, row, { ...idle, state: row.checking ? 'verify' : 'queued', lastError: verdict.error });
      return;
    case 'merge':
      return mergeTheirs(context, row, verdict.theirs ?? {}, verdict.error.message);
    case 'bytes-gone': {
      const resent = (row.resent ?? 0) + 1;
      if (resent > RESEND_LIMIT) return need(context, row, 'invalid', verdict.error);
      for (const dep of row.deps) {
        const file = await db.media.get(dep);
        if (file === undefined) continue;
        await db.media.put({ ...file, state: 'ready', offset: 0 });
        const lane = `upload:${dep}`;
        if ((await db.outbox.where('lane').equals(lane).count()) > 0) continue;
        await append(context, {
          op: context.chance.uuid(),
          kind: 'upload',
          type: 'upload',
          target: dep,
          parent: null,
          lane,
        });
      }
      await park(context, row, { ...idle, state: 'queued', resent, lastError: verdict.error });
      return;
    }
    case 'needs':
      return need(context, row, verdict.reason, verdict.error);
  }
}

async function park(context: StepContext, before: OutboxRow, after: OutboxRow): Promise<void> {
  await writeJournal(context, before, after.state, { status: after.lastError?.status ?? null });
  await context.db.outbox.put(after);
}

async function need(
  context: StepContext,
  row: OutboxRow,
  reason: Reason,
  error: OutboxRow['lastError'],
): Promise<void> {
  const { attempt: _attempt, checking: _checking, ...idle } = row;
  await park(context, row, { ...idle, state: 'attention', reason, lastError: error });
  if (reason !== 'gone') return;
  const id = await serverId(context.db, row.target);
  const record = id === null ? undefined : await context.db.records.get([row.type, id]);
  // Kept, so that it can be made again.
  if (record) await context.db.records.put({ ...record, gone: true });
}

async function acknowledge(
  context: StepContext,
  row: OutboxRow,
  { record, existed }: { record: Values; existed: boolean },
): Promise<void> {
  const { db } = context;
  let version: number | null = null;
  switch (row.kind) {
    case 'create': {
      const id = String(record.id);
      const parent =
        record.profile_id != null ? String(record.profile_id) : row.parent && (await serverId(db, row.parent));
      version = await putMirror(db, { type: row.type, id, parent: parent ?? null, body: record });
      await db.ids.put({ local: row.target, type: row.type, server: id });
      if (existed) await sendDifference(context, row, record, version);
      await keepThumbs(db, row, id);
      break;
    }
    case 'update':
      version = await putUpdated(db, row, record);
      break;
    case 'delete': {
      const id = await serverId(db, row.target);
      if (id !== null) await db.records.delete([row.type, id]);
      break;
    }
    case 'avatar': {
      const id = await serverId(db, row.target);
      const profile = id === null ? undefined : await db.records.get(['profile', id]);
      if (profile) {
        // One step on from the copy here: nothing else changed in between, so the next edit may build on it.
        const isNext = profile.version !== null && record.version === profile.version + 1;
        const body = { ...profile.body, profile_photo: record.profile_photo };
        await db.records.put(
          isNext
            ? { ...profile, body: { ...body, version: record.version }, version: Number(record.version) }
            : { ...profile, body },
        );
      }
      await keepThumbs(db, row, null);
      break;
    }
    case 'upload': {
      const file = await db.media.get(row.target);
      if (file && record.inline !== true) await db.media.put({ ...file, state: 'sent', offset: file.size });
      break;
    }
  }
  for (const each of rebase(row, version, await laneRows(db, row.lane))) await db.outbox.put(each);
  // The answer may be older than what was pulled since: read everything again rather than show a ghost.
  if (row.recheck) await db.cursors.clear();
  await writeJournal(context, row, 'done');
  await db.outbox.delete(row.seq);
}

/** Puts what the server said unless something newer is there already; answers the version said. */
async function putMirror(db: AccountDb, record: Omit<MirrorRecord, 'version'>): Promise<number | null> {
  const version = typeof record.body.version === 'number' ? record.body.version : null;
  const known = await db.records.get([record.type, record.id]);
  if (!(known && known.version !== null && version !== null && known.version > version)) {
    await db.records.put({ ...record, version });
  }
  return version;
}

async function putUpdated(db: AccountDb, row: OutboxRow, record: Values): Promise<number | null> {
  const id = String(record.id);
  const version = typeof record.version === 'number' ? record.version : null;
  const known = await db.records.get([row.type, id]);
  const own = Object.keys(row.patch).filter((field) => homeOf(row.type, field) === row.type);
  const body = { ...known?.body, ...pick(row.patch, own), ...record };
  await putMirror(db, { type: row.type, id, parent: known?.parent ?? null, body });
  if (row.type !== 'profile') return version;
  for (const section of SECTIONS) {
    const fields = Object.keys(section.fields).filter((field) => section.cardinality === 'one' && field in row.patch);
    if (fields.length === 0) continue;
    // The profile's answer does not repeat these; that it was acknowledged says what they are now.
    const beside = await db.records.get([section.key, id]);
    const merged = { ...beside?.body, ...pick(row.patch, fields), ...(version === null ? {} : { version }) };
    await putMirror(db, { type: section.key, id, parent: id, body: merged });
  }
  return version;
}

/** A create that met its own earlier self: what the person changed since is sent as an edit. */
async function sendDifference(
  context: StepContext,
  row: OutboxRow,
  record: Values,
  version: number | null,
): Promise<void> {
  const differing = Object.keys(row.patch).filter(
    (field) => field in record && !sameValue(row.patch[field], record[field]),
  );
  if (differing.length === 0 || row.type === 'media') return;
  const first = (await laneRows(context.db, row.lane)).find((each) => each.seq > row.seq);
  const patch = pick(row.patch, differing);
  const base = pick(record, differing);
  if (first?.kind === 'update' && !first.sentOnce) {
    await context.db.outbox.put({ ...first, patch: { ...patch, ...first.patch }, base: { ...first.base, ...base } });
    return;
  }
  const { type, target, parent, lane } = row;
  await append(context, {
    op: context.chance.uuid(),
    kind: 'update',
    type,
    target,
    parent,
    lane,
    patch,
    base,
    baseVersion: version,
  });
}

/** Bytes whose last user is acknowledged go; the small picture stays until the device has the server's. */
async function keepThumbs(db: AccountDb, row: OutboxRow, recordId: string | null): Promise<void> {
  for (const dep of row.deps) {
    const file = await db.media.get(dep);
    if (file === undefined) continue;
    const users = await db.outbox.filter((other) => other.seq !== row.seq && other.deps.includes(dep)).count();
    if (users > 0) continue;
    await db.chunks.where('[media+n]').between([dep, 0], [dep, Infinity]).delete();
    if (recordId === null) await db.media.delete(dep);
    else await db.media.put({ ...file, state: 'kept', serverId: recordId });
  }
}

async function mergeTheirs(context: StepContext, row: OutboxRow, theirs: Values, message: string): Promise<void> {
  const { db } = context;
  const id = await serverId(db, row.target);
  const version = typeof theirs.version === 'number' ? theirs.version : null;
  if (id !== null) await putTheirs(db, row, id, theirs);
  const { attempt: _attempt, checking: _checking, ...idle } = row;
  if (row.kind === 'delete') {
    const seen = Object.keys(row.base).filter((field) => field !== 'version' && field !== 'updated_at');
    if (seen.some((field) => !sameValue(row.base[field], theirs[field]))) {
      const parked: OutboxRow = { ...idle, state: 'attention', reason: 'conflict', theirs: { body: theirs, version } };
      return park(context, row, { ...parked, lastError: { status: 412, message } });
    }
    await writeJournal(context, row, 'replaced');
    await db.outbox.put({ ...renewed(row, context.chance.uuid()), baseVersion: version });
    return;
  }
  const { patch, conflicts } = merge3(row.base, row.patch, theirs);
  if (conflicts.length > 0) {
    const parked: OutboxRow = {
      ...idle,
      patch,
      state: 'attention',
      reason: 'conflict',
      theirs: { body: theirs, version },
    };
    return park(context, row, { ...parked, lastError: { status: 412, message } });
  }
  if (Object.keys(patch).length === 0) {
    // Both devices came to the same words: nothing is left to send.
    for (const each of rebase(row, version, await laneRows(db, row.lane))) await db.outbox.put(each);
    return drop(context, row, 'done');
  }
  await writeJournal(context, row, 'replaced');
  const next = {
    ...renewed(row, context.chance.uuid()),
    patch,
    base: pick(theirs, Object.keys(patch)),
    baseVersion: version,
  };
  await db.outbox.put(next);
}

async function putTheirs(db: AccountDb, row: OutboxRow, id: string, theirs: Values): Promise<void> {
  const homes = new Set([row.type, ...Object.keys(row.patch).map((field) => homeOf(row.type, field))]);
  const foreign = new Set([...homes].filter((home) => home !== row.type));
  const beside = SECTIONS.filter((section) => foreign.has(section.key));
  const besideFields = new Set(beside.flatMap((section) => Object.keys(section.fields)));
  const known = await db.records.get([row.type, id]);
  const own = Object.fromEntries(Object.entries(theirs).filter(([field]) => !besideFields.has(field)));
  await putMirror(db, { type: row.type, id, parent: known?.parent ?? null, body: { ...known?.body, ...own } });
  for (const section of beside) {
    const body = { ...pick(theirs, Object.keys(section.fields)), ...pick(theirs, ['version']) };
    await putMirror(db, { type: section.key, id, parent: id, body });
  }
}

const SCAN = 64;

/** What rows refer to, as the planner needs it. */
export async function depsOf(db: AccountDb, rows: readonly OutboxRow[]): Promise<Pick<PlanInput, 'ids' | 'media'>> {
  const deps = [...new Set(rows.flatMap((row) => row.deps))];
  if (deps.length === 0) return { ids: new Map(), media: new Map() };
  const ids = new Map((await db.ids.bulkGet(deps)).flatMap((pair) => (pair ? [[pair.local, pair] as const] : [])));
  const media = new Map((await db.media.bulkGet(deps)).flatMap((file) => (file ? [[file.id, file] as const] : [])));
  return { ids, media };
}

/** Marks the next rows as on their way. From here on their payload is frozen under their key. */
async function claim(context: StepContext, want: { json: number; upload: number }): Promise<Claimed[]> {
  const { db, clock, features } = context;
  const plan = async (rows: readonly OutboxRow[], part: Partial<typeof want>) =>
    nextOps({ rows, ...(await depsOf(db, rows)), now: clock.now(), features, want: { json: 0, upload: 0, ...part } });
  const found: OutboxRow[] = [];
  if (want.upload > 0) {
    const uploads = await db.outbox.where('lane').startsWith('upload:').sortBy('seq');
    found.push(...(await plan(uploads, { upload: want.upload })));
  }
  // The head of a long queue as a rule has enough to start; only a blocked one is read on.
  for (let seen = SCAN; want.json > 0; seen *= 2) {
    const rows = await db.outbox.orderBy('seq').limit(seen).toArray();
    const json = await plan(rows, { json: want.json });
    if (json.length < want.json && rows.length === seen) continue;
    found.push(...json);
    break;
  }
  const pending = await db.outbox.count();
  const out: Claimed[] = [];
  for (const row of found) {
    const claimed = await claimRow(context, row);
    if (claimed) out.push({ ...claimed, pending, signIns: await countSignIns(db) });
  }
  // Rows may have fallen away instead of starting; those behind them get their turn now.
  return found.length > 0 && out.length === 0 ? claim(context, want) : out;
}

async function claimRow(context: StepContext, row: OutboxRow): Promise<Pick<Claimed, 'row' | 'ids'> | null> {
  const { db } = context;
  if (row.kind === 'delete') {
    const before = (await laneRows(db, row.lane)).filter((each) => each.seq < row.seq);
    const { drop: fallen, send } = coalesceDelete(before);
    for (const each of fallen) await drop(context, each, send ? 'replaced' : 'discarded');
    if (!send) {
      await drop(context, row, 'done');
      return null;
    }
  }
  const named = [row.kind === 'create' || row.kind === 'upload' ? null : row.target, row.parent];
  const ids = new Map<string, string>();
  for (const id of named) {
    if (id === null) continue;
    const known = await serverId(db, id);
    if (known === null) {
      const error = { status: 0, message: isLocal(id) ? 'What this belongs to was never made' : 'Not known' };
      await need(context, row, 'gone', error);
      return null;
    }
    ids.set(id, known);
  }
  const { hold: _hold, ...kept } = row;
  const checking = row.state === 'verify' ? { checking: true as const } : {};
  const sending: OutboxRow = {
    ...kept,
    ...checking,
    state: 'sending',
    attempt: context.chance.uuid(),
    tries: row.tries + 1,
    sentOnce: true,
  };
  await writeJournal(context, row, 'sending');
  await db.outbox.put(sending);
  return { row: sending, ids };
}
