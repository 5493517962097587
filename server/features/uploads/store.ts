import { and, asc, desc, eq, lt } from 'drizzle-orm';
import type { Clock } from '#server/platform/clock.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { uploadParts, uploads } from '#server/platform/db/schema.ts';

export type Upload = typeof uploads.$inferSelect;

/** Beyond this many open uploads per person, the least recently active ones are deleted. */
const MAX_UPLOADS_PER_PERSON = 200;

/** Matches this very upload, not one that was deleted and created anew under the same id. */
const same = (upload: Upload) => and(eq(uploads.id, upload.id), eq(uploads.createdAt, upload.createdAt));

/** Uploads and their parts in PostgreSQL. The row of an upload is also its lock. */
export function uploadStore(db: Db, clock: Clock) {
  async function find(userId: number, id: string, on: Db = db): Promise<Upload | null> {
    const [upload] = await on
      .select()
      .from(uploads)
      .where(and(eq(uploads.id, id), eq(uploads.userId, userId)));
    return upload ?? null;
  }

  async function partKeys(id: string, on: Db = db): Promise<string[]> {
    const parts = await on
      .select({ key: uploadParts.key })
      .from(uploadParts)
      .where(eq(uploadParts.uploadId, id))
      .orderBy(asc(uploadParts.startBytes));
    return parts.map((part) => part.key);
  }

  return {
    find,
    partKeys,

    /**
     * Creates an upload, or returns the one this person created under the same id. Null if the id is taken by another person or
     * for another length.
     * @param requireRoom runs before a new upload is created, under the person's lock
     */
    async create(
      userId: number,
      id: string,
      lengthBytes: number,
      requireRoom: (tx: Db) => Promise<void> = () => Promise.resolve(),
    ): Promise<Upload | null> {
      return db.transaction(async (tx) => {
        await lockPerson(tx, userId);
        if ((await find(userId, id, tx)) === null) {
          await requireRoom(tx);
          const now = clock.now();
          await tx
            .insert(uploads)
            .values({ id, userId, lengthBytes, createdAt: now, updatedAt: now })
            .onConflictDoNothing();
        }
        const upload = await find(userId, id, tx);
        return upload?.lengthBytes === lengthBytes ? upload : null;
      });
    },

    /**
     * Appends a stored part if the upload's offset is still where the part begins; null if it is not, because another sender was
     * faster or the upload is gone.
     */
    async addPart(upload: Upload, part: { key: string; sizeBytes: number }): Promise<Upload | null> {
      return db.transaction(async (tx) => {
        const [next] = await tx
          .update(uploads)
          .set({
            offsetBytes: upload.offsetBytes + part.sizeBytes,
            parts: upload.parts + 1,
            updatedAt: clock.now(),
          })
          .where(and(same(upload), eq(uploads.offsetBytes, upload.offsetBytes)))
          .returning();
        if (next === undefined) return null;
        await tx.insert(uploadParts).values({ uploadId: upload.id, startBytes: upload.offsetBytes, ...part });
        return next;
      });
    },

    async seal(upload: Upload, sha256: string): Promise<Upload> {
      await db.update(uploads).set({ sha256 }).where(same(upload));
      return { ...upload, sha256 };
    },

    /**
     * Deletes an upload, in the caller's transaction if there is one; null if this person has no such upload.
     * @returns the files to remove after the commit
     */
    async end(userId: number, id: string, on: Db = db): Promise<string[] | null> {
      return on.transaction(async (tx) => {
        const mine = and(eq(uploads.id, id), eq(uploads.userId, userId));
        const [locked] = await tx.select({ id: uploads.id }).from(uploads).where(mine).for('update');
        if (locked === undefined) return null;
        const keys = await partKeys(id, tx);
        await tx.delete(uploads).where(mine);
        return keys;
      });
    },

    /** Lists uploads without activity since `before`. */
    async idle(before: Date): Promise<{ id: string; userId: number }[]> {
      return db.select({ id: uploads.id, userId: uploads.userId }).from(uploads).where(lt(uploads.updatedAt, before));
    },

    /** Lists this person's uploads beyond the maximum: the least recently active ones. */
    async beyondShare(userId: number): Promise<string[]> {
      const surplus = await db
        .select({ id: uploads.id })
        .from(uploads)
        .where(eq(uploads.userId, userId))
        .orderBy(desc(uploads.updatedAt), desc(uploads.createdAt), desc(uploads.id))
        .offset(MAX_UPLOADS_PER_PERSON);
      return surplus.map(({ id }) => id);
    },
  };
}

export type UploadStore = ReturnType<typeof uploadStore>;
