import { NEW_PROFILE_FIELDS } from '#contract/new-profile.ts';
import { SECTIONS, sectionOf } from '#contract/sections/index.ts';
import { homeOf, serverId, setOf } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import { CONVERSATION } from '#db/messages.ts';
import type { MirrorRecord, OutboxRow } from '#db/rows.ts';
import { replaceSet } from '#db/sets.ts';
import { putMessages } from './chat.ts';
import { nameRecord } from './mirror.ts';
import { filled, pick, sameValue } from './merge.ts';
import { append, drop, laneRows, type Values, writeJournal } from './outbox.ts';
import type { StepContext } from './park.ts';
import { NO_VERSION, rebase } from './planner.ts';
import { clientIdOf } from './requests.ts';
import { sentMessage } from './said.ts';

/**
 * The server has it: its copy, the id, the released bytes and the rebased followers stand in the same transaction as
 * the end of the row.
 */
export async function acknowledge(
  context: StepContext,
  row: OutboxRow,
  { record, existed, said }: { record: Values; existed: boolean; said?: string },
): Promise<void> {
  const { db } = context;
  let version: number | null = null;
  let { lane } = row;
  switch (row.kind) {
    case 'create': {
      const made = await putMade(db, row, record);
      ({ version, lane } = made);
      const isTheirs = existed && isOfAnother(row, record);
      if (isTheirs) await baseOnNothing(db, row, lane);
      // What was left empty here says nothing of theirs.
      const patch = isTheirs ? filled(row.patch) : row.patch;
      if (existed) await sendDifference(context, { ...row, target: made.target, lane, patch }, record, version);
      await keepThumbs(context, row, String(record.id));
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
      const isOlder = typeof record.version === 'number' && record.version < (profile?.version ?? 0);
      if (profile && !isOlder) {
        // One step on from the copy here: nothing else changed in between, so the next edit may build on it.
        const isNext = profile.version !== null && record.version === profile.version + 1;
        const body = { ...profile.body, profile_photo: record.profile_photo };
        await db.records.put(
          isNext
            ? { ...profile, body: { ...body, version: record.version }, version: Number(record.version) }
            : { ...profile, body },
        );
      }
      await keepThumbs(context, row, null);
      break;
    }
    case 'send':
      // Ends the row as well: it may have ended before, by the message itself.
      return putMessages(context, [await sentMessage(db, row, record)]);
    case 'save': {
      if (row.type === CONVERSATION) {
        const told = db.records.where('[type+id]').equals([CONVERSATION, row.target]);
        await told.modify(({ body }) => void (body.starred = row.patch.saved));
        break;
      }
      const known = await db.records.get([row.type, row.target]);
      if (row.patch.saved !== true) await db.records.delete([row.type, row.target]);
      else if (!known) {
        const body = row.patch.card as Values;
        await db.records.put({ type: row.type, id: row.target, parent: null, body, version: null });
      }
      break;
    }
    case 'connect':
    case 'accept':
      if (record.id != null) {
        const id = String(record.id);
        await putMirror(db, { type: 'connection', id, parent: null, body: record });
        // A withdrawal that was written before the request had an id.
        for (const each of await laneRows(db, lane))
          if (each.target === lane) await db.outbox.put({ ...each, target: id });
      }
      break;
    case 'seen':
      await db.records
        .where('[type+id]')
        .anyOf((row.patch.ids as string[]).map((id) => ['notification', id]))
        .modify(({ body }) => void (body.read_at ??= new Date(context.clock.now()).toISOString()));
      break;
    case 'upload': {
      const file = await db.media.get(row.target);
      if (file && record.inline !== true) await db.media.put({ ...file, state: 'sent', offset: file.size });
      break;
    }
  }
  for (const each of rebase(row, version, await laneRows(db, lane))) await db.outbox.put(each);
  if (row.kind === 'create' && row.type === 'profile') await sendRest(context, row, record, version);
  // The answer may be older than what was pulled since: read everything again rather than show a ghost.
  if (row.recheck) await db.cursors.clear();
  const isRecord = row.kind === 'create' || row.kind === 'update';
  await writeJournal(context, row, 'done', { ...(isRecord && { under: record }), ...(said && { said }) });
  await db.outbox.delete(row.seq);
}

/** The record that a create made or met, and the name and lane it has here from now on. */
export async function putMade(
  db: AccountDb,
  row: OutboxRow,
  record: Values,
): Promise<{ target: string; lane: string; version: number | null }> {
  const id = String(record.id);
  const parent = record.profile_id != null ? String(record.profile_id) : row.parent && (await serverId(db, row.parent));
  const version = await putMirror(db, { type: row.type, id, parent: parent ?? null, body: record });
  const target = await nameRecord(db, row.type, row.target, id);
  return { target, lane: `${row.type}:${target}`, version };
}

/** A list that holds one record had it already, from somebody who was first. */
const isOfAnother = (row: OutboxRow, record: Values) =>
  sectionOf(row.type)?.most === 1 && record.client_id !== clientIdOf(row.target);

/**
 * Changes written behind a create, now that its record turns out to be another device's: they have seen what the create
 * said, and nothing of that record. Inside a transaction over `tablesOf`.
 */
export async function baseOnNothing(db: AccountDb, made: OutboxRow, lane: string): Promise<void> {
  const fields = Object.keys(sectionOf(made.type)?.fields ?? {});
  for (const row of await laneRows(db, lane)) {
    if (row.seq <= made.seq || row.sentOnce || row.baseVersion !== null) continue;
    // A delete has seen every field, the empty ones too.
    const seen = pick({ ...nothingIn(fields), ...made.patch }, row.kind === 'delete' ? fields : Object.keys(row.patch));
    await db.outbox.put({ ...row, base: { ...seen, ...row.base }, baseVersion: NO_VERSION });
  }
}

/** The fields of a record as they are before anybody has set them. */
export const nothingIn = (fields: readonly string[]): Values =>
  Object.fromEntries(fields.map((field) => [field, null]));

/** Puts what the server said unless something newer is there already (`known`); answers the version said. */
export async function putMirror(
  db: AccountDb,
  record: Omit<MirrorRecord, 'version'>,
  given?: { known: MirrorRecord | undefined },
): Promise<number | null> {
  const version = typeof record.body.version === 'number' ? record.body.version : null;
  const known = given ? given.known : await db.records.get([record.type, record.id]);
  if (!(known && known.version !== null && version !== null && known.version > version)) {
    // An answer without one tells nothing of the version.
    await db.records.put({ ...record, version: version ?? known?.version ?? null });
  }
  return version;
}

async function putUpdated(db: AccountDb, row: OutboxRow, record: Values): Promise<number | null> {
  if (setOf(row.type)) {
    const profileId = await serverId(db, row.target);
    if (profileId === null) throw new Error(`The profile of ${row.type} ${row.target} is not known`);
    return (await replaceSet(db, row.type, profileId, record.rows as Values[])).version;
  }
  const id = String(record.id);
  const version = typeof record.version === 'number' ? record.version : null;
  const known = await db.records.get([row.type, id]);
  const own = Object.keys(row.patch).filter((field) => homeOf(row.type, field) === row.type);
  // A medium is told whole: what its metadata leaves out is empty now.
  const before = row.type === 'media' ? {} : known?.body;
  const body = { ...before, ...pick(row.patch, own), ...record };
  await putMirror(db, { type: row.type, id, parent: known?.parent ?? null, body }, { known });
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
  if (row.type === 'media') return;
  await sendOn(context, row, pick(row.patch, differing), pick(record, differing), version);
}

/** What was said of a new profile before it left and is not part of the call that makes one: it goes as a change of it. */
async function sendRest(context: StepContext, row: OutboxRow, record: Values, version: number | null): Promise<void> {
  const taken: readonly string[] = [...NEW_PROFILE_FIELDS, 'profile_type'];
  const rest = Object.keys(row.patch).filter(
    (field) => !taken.includes(field) && !sameValue(row.patch[field] ?? null, record[field] ?? null),
  );
  const base = Object.fromEntries(rest.map((field) => [field, record[field] ?? null]));
  await sendOn(context, row, pick(row.patch, rest), base, version);
}

/** Queues a change right behind the create, or lets the one that waits there already take it along. */
async function sendOn(
  context: StepContext,
  row: OutboxRow,
  patch: Values,
  base: Values,
  version: number | null,
): Promise<void> {
  if (Object.keys(patch).length === 0) return;
  const first = (await laneRows(context.db, row.lane)).find((each) => each.seq > row.seq);
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
async function keepThumbs(context: StepContext, row: OutboxRow, recordId: string | null): Promise<void> {
  const { db } = context;
  for (const dep of row.deps) {
    const file = await db.media.get(dep);
    if (file === undefined) continue;
    const users = await db.outbox
      .where('deps')
      .equals(dep)
      .filter((other) => other.seq !== row.seq)
      .count();
    if (users > 0) continue;
    // A server that takes the file with its form may have it before the bytes' own turn comes.
    for (const upload of await laneRows(db, `upload:${dep}`)) await drop(context, upload, 'done');
    await db.chunks.where('[media+n]').between([dep, 0], [dep, Infinity]).delete();
    if (recordId === null) await db.media.delete(dep);
    else await db.media.put({ ...file, state: 'kept', serverId: recordId });
  }
}
