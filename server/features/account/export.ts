import { and, asc, eq, inArray, or } from 'drizzle-orm';
import { makeZip, predictLength } from 'client-zip';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { sectionOf } from '#contract/sections/index.ts';
import { isOpenRow } from '#server/platform/access/open-conversations.ts';
import type { Db } from '#server/platform/db/connect.ts';
import {
  appeals,
  auditionRequests,
  auditionTapes,
  castingProjects,
  castingRoles,
  connections,
  conversationMembers,
  conversations,
  media,
  messages,
  profiles,
  restrictions,
  savedMedia,
  savedProfiles,
  sectionRows,
  storedFiles,
  directUploads,
  tapeMarks,
  uploads,
  users,
} from '#server/platform/db/schema.ts';
import { presentAuditions } from '#server/features/auditions/present.ts';
import { listLinks, presentLinks } from '#server/features/casting/link-rows.ts';
import { listAllDays, presentDay } from '#server/features/availability/store.ts';
import { listCandidates, presentCandidates } from '#server/features/casting/candidate-rows.ts';
import { listMarks, presentMark } from '#server/features/casting/mark-rows.ts';
import { isOfPerson, listMembers, presentMembers } from '#server/features/casting/member-rows.ts';
import { presentProject, presentRequests, presentRole } from '#server/features/casting/present.ts';
import { listRequests } from '#server/features/casting/rows.ts';
import { listProjects, listRoles } from '#server/features/casting/store.ts';
import { listTapes, presentOwnTape, presentTape } from '#server/features/casting/tape-rows.ts';
import { presentMediaFor } from '#server/features/media/store.ts';
import { presentMessage } from '#server/features/chat/messages.ts';
import { getOtherId } from '#server/features/chat/participants.ts';
import { listNotifications, presentNotifications } from '#server/features/notifications/store.ts';
import { listReportsBy } from '#server/features/people/reports.ts';
import { listBlocks, presentConnections } from '#server/features/people/store.ts';
import { loadFullProfiles, presentOwn } from '#server/features/profile/store.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { unauthorized } from '#server/platform/http/errors.ts';
import { exportDevices } from './devices.ts';
import { findGuardian } from '#server/platform/access/guardians.ts';
import { listAgeRequestsOf } from './age-requests.ts';
import { listConsents } from './consents.ts';
import { presentGuardian } from './guardian.ts';
import { listPasskeys, presentPasskey } from './passkeys.ts';
import { countRecoveryCodes } from './recovery-codes.ts';
import { listSessions, presentSettings } from './store.ts';

/** A file of the archive. `open` is called once, when the archive reaches it, and resolves with null if the file is missing. */
export interface ExportedFile {
  /** Path in the archive, with `/`. */
  name: string;
  sizeBytes: number;
  open: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array> | null>;
}

const README = `Everything you have on Callboard, as of the moment you asked for it.

account.json      you, your settings, what you agreed to, your guardian if you have one, your requests to correct
                  your date of birth, and the devices signed in
profiles.json     every profile with its sections and media records
casting.json      your projects, colleagues, roles and shortlists, whom you asked to audition, the tapes that came and
                  your marks
auditions.json    what you were asked to tape, what you said and what you heard
tapes.json        the tapes that you sent, with the times that count
availability.json the days on which you said that you are free, pencilled, held or booked
feedback.json     feedback you wrote on other people’s pages
people.json       your connections, saved items, blocks, reports and notifications
messages.json     your conversations; for closed ones, only what you wrote
files/            your pictures and files, under the names the records use
missing.txt       the names of files that could not be found; it is only here if there are any
`;

async function loadAccount(db: Db, userId: number, sessionId: number) {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (user === undefined) throw unauthorized();
  const guardian = await findGuardian(db, userId);
  const waiting = await db.select().from(uploads).where(eq(uploads.userId, userId));
  const direct = await db.select().from(directUploads).where(eq(directUploads.userId, userId));
  return {
    id: String(user.id),
    name: user.name,
    email: user.email,
    slug: user.slug,
    created_at: user.createdAt.toISOString(),
    born_on: user.bornOn,
    settings: presentSettings(user),
    consents: await listConsents(db, userId),
    guardian: guardian && {
      ...presentGuardian(guardian),
      asked_at: guardian.askedAt.toISOString(),
      decided_at: guardian.decidedAt?.toISOString() ?? null,
    },
    age_requests: (await listAgeRequestsOf(db, userId)).map((request) => ({
      born_on: request.bornOn,
      wanted: request.wanted,
      reason: request.reason,
      asked_at: request.askedAt.toISOString(),
      state: request.state,
      decided_at: request.decidedAt?.toISOString() ?? null,
      words: request.words,
    })),
    devices: await listSessions(db, userId, sessionId),
    waiting_on_devices: await exportDevices(db, userId),
    passkeys: (await listPasskeys(db, userId)).map(presentPasskey),
    recovery_codes_left: await countRecoveryCodes(db, userId),
    decisions: await loadDecisions(db, userId),
    unfinished_uploads: [
      ...waiting.map(({ id, lengthBytes, offsetBytes }) => ({ id, lengthBytes, offsetBytes })),
      ...direct.map(({ id, sizeBytes, state }) => ({ id, lengthBytes: sizeBytes, state })),
    ],
  };
}

/** What the desk decided about the person, and what they said to it. */
async function loadDecisions(db: Db, userId: number) {
  const rows = await db
    .select()
    .from(restrictions)
    .where(eq(restrictions.userId, userId))
    .orderBy(asc(restrictions.id));
  const said = await db
    .select()
    .from(appeals)
    .where(
      inArray(
        appeals.restrictionId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(appeals.id));
  return rows.map(({ id, kind, targetType, targetId, reason, words, until, createdAt, liftedAt, hidden }) => ({
    kind,
    about: { type: targetType, id: String(targetId) },
    reason,
    words,
    since: createdAt.toISOString(),
    until: until?.toISOString() ?? null,
    lifted_at: liftedAt?.toISOString() ?? null,
    hidden,
    appeals: said
      .filter(({ restrictionId }) => restrictionId === id)
      .map(({ text, at, answer, answeredAt }) => ({
        text,
        at: at.toISOString(),
        answer,
        answered_at: answeredAt?.toISOString() ?? null,
      })),
  }));
}

type SectionRow = typeof sectionRows.$inferSelect;
const toPlainRow = ({ id, version, body, createdAt, updatedAt }: SectionRow) => ({
  id: String(id),
  ...body,
  version,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});

async function loadProfiles(db: Db, userId: number, ids: number[]) {
  const found = await loadFullProfiles(db, ids);
  const rows = await db
    .select()
    .from(sectionRows)
    .where(inArray(sectionRows.profileId, ids))
    .orderBy(asc(sectionRows.id));
  const ownMedia = await db.select().from(media).where(inArray(media.profileId, ids)).orderBy(asc(media.id));
  const items = await presentMediaFor(db, { userId }, ownMedia);
  return found.map((each) => {
    const own = rows.filter((row) => row.profileId === each.profile.id);
    const kinds = [...new Set(own.map((row) => row.section))];
    const sections = kinds.map((kind) => [
      sectionOf(kind)?.key ?? kind,
      own.filter((row) => row.section === kind).map(toPlainRow),
    ]);
    return {
      ...presentOwn(each),
      sections: Object.fromEntries(sections) as Record<string, unknown>,
      media: items.filter((item) => item.profile_id === String(each.profile.id)),
    };
  });
}

async function loadPeople(db: Db, userId: number) {
  const ownConnections = await db
    .select()
    .from(connections)
    .where(or(eq(connections.senderId, userId), eq(connections.receiverId, userId)))
    .orderBy(asc(connections.id));
  const saved = await db.select().from(savedProfiles).where(eq(savedProfiles.userId, userId));
  const savedItems = await db.select().from(savedMedia).where(eq(savedMedia.userId, userId));
  return {
    connections: await presentConnections(db, userId, ownConnections),
    saved_profiles: saved.map((row) => ({ profile_id: String(row.profileId), saved_at: row.createdAt.toISOString() })),
    saved_media: savedItems.map((row) => ({ media_id: String(row.mediaId), saved_at: row.createdAt.toISOString() })),
    blocked: await listBlocks(db, userId),
    reported: await listReportsBy(db, userId),
    notifications: await presentNotifications(db, await listNotifications(db, userId, 'all')),
  };
}

async function loadCasting(db: Db, userId: number) {
  return {
    projects: (await listProjects(db, eq(castingProjects.userId, userId))).map((row) => presentProject(row)),
    members: await presentMembers(db, await listMembers(db, isOfPerson(userId))),
    roles: (await listRoles(db, eq(castingRoles.userId, userId))).map(presentRole),
    requests: await presentRequests(db, await listRequests(db, eq(auditionRequests.userId, userId))),
    tapes: (await listTapes(db, eq(auditionRequests.userId, userId))).map(presentTape),
    shortlists: await presentCandidates(
      db,
      (await listCandidates(db, eq(castingRoles.userId, userId), userId)).map(({ candidate }) => candidate),
    ),
    marks: (await listMarks(db, eq(tapeMarks.userId, userId))).map(presentMark),
    links: await presentLinks(db, await listLinks(db, userId)),
  };
}

/** The person's conversations. From closed ones, the export includes only the messages that the person wrote. */
async function loadConversations(db: Db, userId: number) {
  const own = await db
    .select({
      row: conversations,
      isStarred: conversationMembers.isStarred,
      isPinned: conversationMembers.isPinned,
    })
    .from(conversations)
    .innerJoin(
      conversationMembers,
      and(eq(conversationMembers.conversationId, conversations.id), eq(conversationMembers.userId, userId)),
    )
    .orderBy(asc(conversations.id));
  if (own.length === 0) return [];
  const ids = own.map(({ row }) => row.id);
  const open = own.flatMap(({ row }) => (isOpenRow(row) ? [row.id] : []));
  const ownMessages = await db
    .select()
    .from(messages)
    .where(
      and(
        inArray(messages.conversationId, ids),
        or(eq(messages.senderId, userId), inArray(messages.conversationId, open)),
      ),
    )
    .orderBy(asc(messages.conversationId), asc(messages.seq));
  const byConversation = new Map(own.map(({ row }) => [row.id, [] as ReturnType<typeof presentMessage>[]]));
  for (const row of ownMessages) byConversation.get(row.conversationId)?.push(presentMessage(row));
  return own.map(({ row, isStarred, isPinned }) => ({
    conversation_id: String(row.id),
    with_user_id: String(getOtherId(row, userId)),
    is_open: isOpenRow(row),
    starred: isStarred,
    pinned: isPinned,
    messages: byConversation.get(row.id) ?? [],
  }));
}

/** Collects all data of a person as files of an archive, from one consistent snapshot. */
export async function exportAccount(
  db: Db,
  storage: Storage,
  caller: { userId: number; sessionId: number },
): Promise<ExportedFile[]> {
  const { userId, sessionId } = caller;
  const { records, files } = await db.transaction(
    async (tx) => {
      const own = await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.userId, userId));
      const ids = own.map(({ id }) => id);
      const written = await tx.select().from(sectionRows).where(eq(sectionRows.userId, userId));
      return {
        records: {
          'account.json': await loadAccount(tx, userId, sessionId),
          'profiles.json': ids.length === 0 ? [] : await loadProfiles(tx, userId, ids),
          'casting.json': await loadCasting(tx, userId),
          'auditions.json': await presentAuditions(
            tx,
            await listRequests(tx, eq(auditionRequests.performerId, userId)),
          ),
          'tapes.json': (await listTapes(tx, eq(auditionTapes.userId, userId))).map(presentOwnTape),
          'availability.json': (await listAllDays(tx, userId)).map(presentDay),
          'feedback.json': written
            .filter((row) => !ids.includes(row.profileId))
            .map((row) => ({ profile_id: String(row.profileId), ...toPlainRow(row) })),
          'people.json': await loadPeople(tx, userId),
          'messages.json': await loadConversations(tx, userId),
        },
        files: await tx.select().from(storedFiles).where(eq(storedFiles.userId, userId)).orderBy(asc(storedFiles.key)),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  const entries: ExportedFile[] = [textEntry('README.txt', README)];
  for (const [name, record] of Object.entries(records)) {
    entries.push(textEntry(name, `${JSON.stringify(record, null, 2)}\n`));
  }
  for (const { key, sizeBytes } of files) {
    entries.push({ name: `files/${key}`, sizeBytes, open: () => storage.open(key) });
  }
  return entries;
}

async function* readWholeFile(
  { name, sizeBytes }: ExportedFile,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of bytes) {
    seen += chunk.byteLength;
    yield chunk;
  }
  if (seen !== sizeBytes) throw new Error(`${name} has ${seen} bytes instead of ${sizeBytes}`);
}

/**
 * Streams the files as a ZIP archive, one after the other. It opens each file when the archive reaches it: with thousands of files in a
 * bucket, looking for all of them first would keep a proxy waiting too long. Ends with `missing.txt` if files were missing.
 * @param at modification time of every file
 * @returns the stream, and its length if no file is missing
 */
export function createArchive(files: readonly ExportedFile[], at: Date): { stream: Readable; lengthBytes: bigint } {
  const toZipEntry = ({ name, sizeBytes }: ExportedFile) => ({ name, size: sizeBytes, lastModified: at });
  const inputs = async function* () {
    const missing: string[] = [];
    for (const file of files) {
      const bytes = await file.open();
      if (bytes === null) {
        missing.push(file.name);
        continue;
      }
      try {
        yield { ...toZipEntry(file), input: readWholeFile(file, bytes) };
      } finally {
        // The person may have left in the middle of the file.
        if (bytes instanceof Readable) bytes.destroy();
      }
    }
    if (missing.length > 0) yield { name: 'missing.txt', lastModified: at, input: `${missing.join('\n')}\n` };
  };
  return {
    stream: Readable.fromWeb(makeZip(inputs()) as ReadableStream),
    lengthBytes: predictLength(files.map(toZipEntry)),
  };
}

function textEntry(name: string, text: string): ExportedFile {
  const bytes = Buffer.from(text);
  return {
    name,
    sizeBytes: bytes.length,
    open: async function* () {
      yield bytes;
    },
  };
}
