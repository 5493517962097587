import type { AccountDb } from './database.ts';

/** Whether the person casts: they have a project, or are making one on this device. */
export async function hasProjects(db: AccountDb): Promise<boolean> {
  const known = await db.records.where('[type+id]').between(['project', ''], ['project', '\uffff']).count();
  return known > 0 || (await db.outbox.where('lane').startsWith('project:').count()) > 0;
}
