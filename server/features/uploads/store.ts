import { and, asc, desc, eq, lt } from 'drizzle-orm';
import type { Clock } from '#server/platform/clock.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { uploadParts, uploads } from '#server/platform/db/schema.ts';

export type Upload = typeof uploads.$inferSelect;

/** A person who leaves more than this many uploads lying loses those untouched for longest. */
const MAX_UPLOADS_PER_PERSON = 200;

/** Not one that was ended and begun anew under its id meanwhile. */
const same = (upload: Upload) => and(eq(uploads.id, upload.id), eq(uploads.createdAt, upload.createdAt));

/** Uploads and their parts as PostgreSQL knows them; the row of an upload is also its lock. */
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
     * A new upload, or the one this person began under the same id; null when the id is taken by another or for another length.
     * @param requireRoom runs before a new one is made, while nothing else of this person is added
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
     * Counts a stored part in, if the upload still stands where the part begins; null when it does not (another sender was
     * faster, or the upload is gone).
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
     * Ends an upload for good, in the caller's transaction if there is one; null when this person has none under that id.
     * @returns the files to remove once that is committed
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

    /** Uploads that lie untouched since before `before`. */
    async idle(before: Date): Promise<{ id: string; userId: number }[]> {
      return db.select({ id: uploads.id, userId: uploads.userId }).from(uploads).where(lt(uploads.updatedAt, before));
    },

    /** What this person has beyond their share: the uploads untouched for longest. */
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
