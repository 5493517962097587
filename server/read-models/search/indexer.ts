import { and, asc, eq, inArray, max, sql } from 'drizzle-orm';
import { LOCK } from '#server/platform/db/advisory-locks.ts';
import type { Db } from '#server/platform/db/connect.ts';
import {
  industries,
  languages,
  media,
  profiles,
  profileSearch,
  searchQueue,
  searchTerms,
  sectionRows,
  sessions,
} from '#server/platform/db/schema.ts';
import type { Log } from '#server/platform/log.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';
import { loadFullProfiles, type FullProfile } from '#server/features/profile/store.ts';
import { buildSearchDocument, SEARCHED_SECTIONS, type SearchDocument } from './document.ts';

interface Indexed extends SearchDocument {
  profile: FullProfile['profile'];
  activeOn: string;
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
const grouped = <T extends { profileId: number }>(rows: readonly T[]) => {
  const groups = new Map<number, T[]>();
  for (const row of rows) groups.set(row.profileId, [...(groups.get(row.profileId) ?? []), row]);
  return groups;
};

/** Builds the index documents of these profiles; profiles that others cannot see have none. */
async function readDocuments(tx: Db, ids: number[]): Promise<Indexed[]> {
  const found = (await loadFullProfiles(tx, ids)).filter(({ profile }) => profile.isShown);
  if (found.length === 0) return [];
  const shownIds = found.map(({ profile }) => profile.id);
  const rows = await tx
    .select({ profileId: sectionRows.profileId, section: sectionRows.section, body: sectionRows.body })
    .from(sectionRows)
    .where(and(inArray(sectionRows.profileId, shownIds), inArray(sectionRows.section, SEARCHED_SECTIONS)))
    .orderBy(asc(sectionRows.id));
  const files = await tx
    .select({ profileId: media.profileId, mediaType: media.mediaType, metadata: media.metadata })
    .from(media)
    .where(and(inArray(media.profileId, shownIds), eq(media.isHidden, false)));
  const owners = [...new Set(found.map(({ profile }) => profile.userId))];
  const seen = await tx
    .select({ userId: sessions.userId, at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(inArray(sessions.userId, owners))
    .groupBy(sessions.userId);
  const kinds = await tx.select({ id: industries.id, name: industries.name }).from(industries);
  const spoken = await tx.select({ id: languages.id, name: languages.name }).from(languages);

  const industryNames = new Map(kinds.map(({ id, name }) => [id, name]));
  const languageNames = new Map(spoken.map(({ id, name }) => [String(id), name]));
  const lastSeen = new Map(seen.map(({ userId, at }) => [userId, at]));
  const [rowsOf, filesOf] = [grouped(rows), grouped(files)];
  return found.map((each) => {
    const { id, industryId, userId, updatedAt } = each.profile;
    const seenAt = lastSeen.get(userId) ?? updatedAt;
    const document = buildSearchDocument({
      ...each,
      industry: industryId === null ? null : (industryNames.get(industryId) ?? null),
      rows: rowsOf.get(id) ?? [],
      media: filesOf.get(id) ?? [],
      languages: languageNames,
    });
    return { ...document, profile: each.profile, activeOn: dayOf(seenAt > updatedAt ? seenAt : updatedAt) };
  });
}

async function writeDocuments(tx: Db, documents: readonly Indexed[]): Promise<void> {
  if (documents.length === 0) return;
  const rows = documents.map(({ profile, activeOn, tokens, quality, height, card }) => ({
    profileId: profile.id,
    userId: profile.userId,
    quality,
    minAge: profile.minAge,
    maxAge: profile.maxAge,
    height,
    activeOn,
    tokens: sql`array_to_tsvector(${sql.param(tokens)}::text[])`,
    card,
  }));
  await tx
    .insert(profileSearch)
    .values(rows)
    .onConflictDoUpdate({
      target: profileSearch.profileId,
      set: {
        quality: sql`excluded.quality`,
        minAge: sql`excluded.min_age`,
        maxAge: sql`excluded.max_age`,
        height: sql`excluded.height`,
        activeOn: sql`greatest(${profileSearch.activeOn}, excluded.active_on)`,
        tokens: sql`excluded.tokens`,
        card: sql`excluded.card`,
      },
      // Skip unchanged documents, because rewriting them costs as much as a change.
      setWhere: sql`(${profileSearch.quality}, ${profileSearch.minAge}, ${profileSearch.maxAge}, ${profileSearch.tokens}, ${profileSearch.card})
        is distinct from (excluded.quality, excluded.min_age, excluded.max_age, excluded.tokens, excluded.card)`,
    });
  const terms = [
    ...documents.flatMap(({ words }) => words.map((term) => `w${term}`)),
    ...documents.flatMap(({ places }) => places.map((term) => `c${term}`)),
    ...documents.flatMap(({ skills }) => skills.map((term) => `s${term}`)),
  ];
  // Insert in sorted order, so that concurrent writers of the same terms cannot deadlock.
  const sorted = [...new Set(terms)].sort();
  await tx.execute(sql`
    insert into ${searchTerms} (kind, term)
    select left(each, 1), substr(each, 2) from unnest(${sql.param(sorted)}::text[]) with ordinality as given(each, at)
    where not exists (select from ${searchTerms} known where known.kind = left(each, 1) and known.term = substr(each, 2))
    order by at on conflict do nothing`);
}

/** Maximum changes read at once; many of them may belong to one profile. */
const MAX_CHANGES = 1000;

/**
 * Indexes the profiles that have waited longest. Concurrent runs are serialized per profile and read after they hold the lock, so
 * that older data never overwrites newer.
 * @param maxProfiles maximum number of profiles
 * @returns the number of profiles processed
 */
export async function indexBatch(db: Db, maxProfiles: number): Promise<number> {
  const [waiting] = await db.select({ id: searchQueue.id }).from(searchQueue).limit(1);
  if (waiting === undefined) return 0;
  return db.transaction(async (tx) => {
    const oldest = await tx.select().from(searchQueue).orderBy(asc(searchQueue.id)).limit(MAX_CHANGES);
    const ids = [...new Set(oldest.map(({ profileId }) => profileId))].slice(0, maxProfiles);
    if (ids.length === 0) return 0;
    const changes = oldest.filter(({ profileId }) => ids.includes(profileId));
    await tx.execute(sql`select pg_advisory_xact_lock_shared(${LOCK.searchTerms})`);
    await tx
      .select({ id: profiles.id })
      .from(profiles)
      .where(inArray(profiles.id, ids))
      .orderBy(asc(profiles.id))
      .for('no key update');
    const documents = await readDocuments(tx, ids);
    const shown = new Set(documents.map(({ profile }) => profile.id));
    const hidden = ids.filter((id) => !shown.has(id));
    if (hidden.length > 0) await tx.delete(profileSearch).where(inArray(profileSearch.profileId, hidden));
    await writeDocuments(tx, documents);
    await tx.delete(searchQueue).where(
      inArray(
        searchQueue.id,
        changes.map(({ id }) => id),
      ),
    );
    return ids.length;
  });
}

const TERM_BATCH_SIZE = 500;

type Term = typeof searchTerms.$inferSelect;

/** Deletes unused terms in the next batch after a term. @returns the last term of the batch, or null at the end */
function deleteSomeTerms(db: Db, { kind, term }: Pick<Term, 'term'> & { kind: string }): Promise<Term | null> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK.searchTerms})`);
    const some = await tx
      .select()
      .from(searchTerms)
      .where(sql`(${searchTerms.kind}, ${searchTerms.term}) > (${kind}, ${term})`)
      .orderBy(asc(searchTerms.kind), asc(searchTerms.term))
      .limit(TERM_BATCH_SIZE);
    const end = some.at(-1);
    if (end === undefined) return null;
    await tx.execute(sql`
      delete from ${searchTerms} old
      where (kind, term) > (${kind}, ${term}) and (kind, term) <= (${end.kind}, ${end.term}) and not exists (
        select from ${profileSearch} where tokens @@ (case old.kind
          when 'w' then format('%L | %L | %L', 'n:' || term, 'm:' || term, 'x:' || term)
          when 'c' then format('%L', 'c:' || term)
          else format('%L', 's1:' || term) end)::tsquery)`);
    return end;
  });
}

/** Deletes terms that no profile contains any more. */
export async function deleteUnusedTerms(db: Db): Promise<void> {
  let last: Parameters<typeof deleteSomeTerms>[1] | null = { kind: '', term: '' };
  while (last !== null) last = await deleteSomeTerms(db, last);
}

/** Delay that batches successive writes; searches do not wait for it, because they index pending profiles themselves. */
const DEBOUNCE_MS = 400;
const BATCH_SIZE = 25;

/** Indexes changes in the background, so that searches have little to index themselves. */
export class SearchIndexer {
  readonly #db: Db;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> | null = null;
  #isAwaited = false;
  #isClosed = false;

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /** Signals that there may be changes to index. */
  wake(): void {
    if (this.#isClosed) return;
    if (this.#timer) {
      this.#isAwaited = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#isAwaited = false;
      this.#work = this.#indexAll()
        .catch((error: unknown) => this.#log.warn(describeFailure(error), 'the search index waits'))
        .finally(() => {
          this.#timer = undefined;
          this.#work = null;
          if (this.#isAwaited) this.wake();
        });
    }, DEBOUNCE_MS);
    this.#timer.unref();
  }

  /** Stops after the current batch. The next start continues from there. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#work;
  }

  async #indexAll(): Promise<void> {
    for (let count = BATCH_SIZE; count === BATCH_SIZE && !this.#isClosed;)
      count = await indexBatch(this.#db, BATCH_SIZE);
  }
}
