import type { AccountDb } from './database.ts';

/** Which side of an audition somebody is on. Whoever casts may also perform. */
export type OwnWork = 'auditions' | 'casting';

/** Whether the person casts or auditions, as far as this device knows. Reads no records, so that no start has to load their code. */
export const readOwnWork = (db: AccountDb): Promise<OwnWork | null> =>
  db.transaction('r', [db.records, db.outbox], async () => {
    const has = async (type: string) =>
      (await db.records.where('[type+id]').between([type, ''], [type, '\uffff']).limit(1).count()) > 0;
    const isMaking = async () =>
      (await db.outbox.where('lane').between('project:', 'project:\uffff').limit(1).count()) > 0;
    if ((await has('project')) || (await isMaking())) return 'casting';
    return (await has('audition')) ? 'auditions' : null;
  });
