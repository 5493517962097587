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

/** A type of record that people can save for later. */
interface SavableType {
  /** Record type in the sync feed. The record's id is the id of the saved item. */
  type: 'saved_profile' | 'saved_media';
  /** In the user's words, such as 'profile'. */
  noun: string;
  save: Endpoint;
  unsave: Endpoint;
  /** Name of the path parameter that holds its id. */
  param: string;
  /**
   * Finds the item and locks it until the commit, so that a concurrent change of it sees who saved it.
   * @throws 404 when the caller cannot see it, 422 when they cannot save it
   */
  lockVisible: (db: Db, id: string, caller: Caller) => Promise<number>;
  /** @throws 404 when the caller cannot see it */
  requireVisible: (db: Db, id: string, caller: Caller) => Promise<unknown>;
  /** @returns true when it was not saved before */
  add: (db: Db, userId: number, id: number, now: Date) => Promise<boolean>;
  /** @returns true when it was saved */
  remove: (db: Db, userId: number, id: number) => Promise<boolean>;
  /** Records whatever else changes when the item is saved or unsaved. */
  onChange?: (db: Db, changes: ChangeLog, saving: SaveChange) => Promise<void>;
}

/** A completed save or unsave. */
interface SaveChange {
  caller: Caller;
  id: number;
  isSaved: boolean;
  now: Date;
}

const params = z.record(z.string(), z.string());

/** Registers the save and unsave routes of a type. Both are idempotent. */
export function registerSaveRoutes(app: FastifyInstance, savable: SavableType): void {
  const { type, noun, param } = savable;
  const getId = (path: Record<string, string>) => path[param] ?? '';

  writeRoute(app, {
    endpoint: savable.save,
    summary: `Saves a ${noun}`,
    access: requiredAccount(({ db, caller, params: path }: GuardInput<Caller, Record<string, string>>) =>
      savable.lockVisible(db, getId(path), caller),
    ),
    params,
    responses: { 200: savedResponse },
    handler: async ({ caller, subject: id, db, now, changes }) => {
      if (await savable.add(db, caller.userId, id, now)) {
        changes.recordChange(caller.userId, type, String(id), null);
        await savable.onChange?.(db, changes, { caller, id, isSaved: true, now });
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
      const id = requireId(getId(path), noun);
      // A saved item can be unsaved even when the caller no longer sees it. Otherwise the caller must be able to see the item.
      if (await savable.remove(db, caller.userId, id)) {
        changes.recordDeletion(caller.userId, type, String(id), null);
        await savable.onChange?.(db, changes, { caller, id, isSaved: false, now });
      } else await savable.requireVisible(db, getId(path), caller);
      return ok({ message: 'Removed from Saved', is_saved: 0 });
    },
  });
}
