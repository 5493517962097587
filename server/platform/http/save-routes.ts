import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { savedResponse } from '#contract/records/people.ts';
import type { Endpoint } from '#contract/section.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import { ok } from '#server/platform/http/response.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { requiredAccount, writeRoute, type GuardInput } from '#server/platform/http/route.ts';

/** Something people keep for later. */
interface SavableType {
  /** Of its records in the feed, which knows them by the id of what is saved. */
  type: 'saved_profile' | 'saved_media';
  /** As a performer says it. */
  noun: string;
  save: Endpoint;
  unsave: Endpoint;
  /** What the paths call its id. */
  param: string;
  /**
   * Finds it and keeps it as it is until the commit, so that its savers are known when it changes.
   * @throws 404 where the caller may not know of it, 422 where it is nothing for them to save
   */
  lockVisible: (db: Db, id: string, caller: Caller) => Promise<number>;
  /** @throws 404 where the caller may not know of it */
  requireVisible: (db: Db, id: string, caller: Caller) => Promise<unknown>;
  /** @returns whether it was not saved before */
  add: (db: Db, userId: number, id: number, now: Date) => Promise<boolean>;
  /** @returns whether it was saved */
  remove: (db: Db, userId: number, id: number) => Promise<boolean>;
  /** What else is different by it, for the caller or for others. */
  onChange?: (db: Db, changes: ChangeLog, saving: SaveChange) => Promise<void>;
}

/** What was done: kept, or let go. */
interface SaveChange {
  userId: number;
  id: number;
  isSaved: boolean;
  now: Date;
}

const params = z.record(z.string(), z.string());

/** Keeping something for later and letting it go. Each may be repeated. */
export function registerSaveRoutes(app: FastifyInstance, savable: SavableType): void {
  const { type, noun, param } = savable;
  const idOf = (path: Record<string, string>) => path[param] ?? '';

  writeRoute(app, {
    endpoint: savable.save,
    summary: `Saves a ${noun}`,
    access: requiredAccount(({ db, caller, params: path }: GuardInput<Caller, Record<string, string>>) =>
      savable.lockVisible(db, idOf(path), caller),
    ),
    params,
    responses: { 200: savedResponse },
    handler: async ({ caller: { userId }, subject: id, db, now, changes }) => {
      if (await savable.add(db, userId, id, now)) {
        changes.recordChange(userId, type, String(id), null);
        await savable.onChange?.(db, changes, { userId, id, isSaved: true, now });
      }
      return ok({ message: 'Saved', is_saved: 1 });
    },
  });

  writeRoute(app, {
    endpoint: savable.unsave,
    summary: `Removes a ${noun} from the saved ones`,
    access: requiredAccount(),
    params,
    responses: { 200: savedResponse },
    handler: async ({ caller, params: path, db, now, changes }) => {
      const id = requireId(idOf(path), noun);
      // One that waits unseen may be let go all the same; of others only who sees them hears that they were not saved.
      if (await savable.remove(db, caller.userId, id)) {
        changes.recordDeletion(caller.userId, type, String(id), null);
        await savable.onChange?.(db, changes, { userId: caller.userId, id, isSaved: false, now });
      } else await savable.requireVisible(db, idOf(path), caller);
      return ok({ message: 'Removed from Saved', is_saved: 0 });
    },
  });
}
