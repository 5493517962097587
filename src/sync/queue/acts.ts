import type { ActName, ActType } from '#contract/casting/acts.ts';
import { canonicalId } from '#db/canonical.ts';
import { getEffect } from '#db/effects.ts';
import { hasEffect } from '#db/patches.ts';
import type { OutboxRow } from '#db/rows.ts';
import { actOnRecord } from '../operations/act.ts';
import { getRecordLane } from '../operations/operation.ts';
import { readMirror } from './basis.ts';
import { append, drop, getTables, laneRows, type OutboxPorts, type Values } from './outbox.ts';
import { isSetAside, isUnsent } from './planner.ts';

/** What is done with which record. */
export type Act = {
  [T in ActType]: {
    type: T;
    id: string;
    act: ActName<T>;
    /** What is sent with it. */
    fields?: Values;
    /** The name of the record: 'Naseem, The Salt Road'. */
    title: string;
  };
}[ActType];

/** What each act is called in "Waiting to send". Screens that offer an act have their own words. */
const WORDS: Record<ActName, string> = {
  seen: 'Opened',
  confirm: 'Say yes',
  decline: 'Say no',
  answer: 'Answer',
  withdraw: 'Withdraw',
  cast: 'Role is cast',
  arrive: 'Takes',
  viewed: 'Watched',
  mark: 'Mark',
};

/** What an act is called: 'Say yes: Naseem, The Salt Road'. */
export const getActTitle = (act: ActName, title: string): string => `${WORDS[act]}: ${title}`;

/** Acts of which only the last one counts: a yes replaces a no that has not left the device. */
const REPLIES: readonly string[] = ['confirm', 'decline'];

const isReplacedBy = (row: OutboxRow, act: string): boolean =>
  hasEffect(row, 'act') &&
  (isUnsent(row) || isSetAside(row)) &&
  (row.patch.act === act ? act !== 'answer' : REPLIES.includes(act) && REPLIES.includes(row.patch.act));

/** What a repeated act says: the seconds of a tape that was watched add up, and a mark keeps what it said of something else. */
function combine(act: ActName, before: Values, fields: Values): Values {
  if (act === 'viewed') return { seconds: Number(before.seconds) + Number(fields.seconds) };
  return act === 'mark' ? { ...before, ...fields } : fields;
}

/**
 * What is sent, without a time before what this device knows already: its clock was set back then. The server takes its own time instead,
 * so that a no after a yes comes after it.
 */
function withoutPast(fields: Values, known: readonly unknown[]): Values {
  const { at, ...rest } = fields;
  const isPast = known.some((time) => Date.parse(String(time)) > Date.parse(String(at)));
  return isPast ? rest : fields;
}

/**
 * Queues an act. Repeating one that has not left the device changes nothing but what it says, and a request that has not left is
 * withdrawn by being removed.
 * @returns the queued change; `op` is null when nothing is left to send
 */
export async function act(
  ports: OutboxPorts,
  { type, id, act: name, fields = {}, title }: Act,
): Promise<{ op: string | null }> {
  const { db, chance } = ports;
  const op = chance.uuid();
  return db.transaction('rw', getTables(db), async () => {
    const target = await canonicalId(db, type, id);
    const rows = await laneRows(db, getRecordLane({ type, target }));
    const made = rows.find((row) => getEffect(row) === 'create');
    if (name === 'withdraw' && made && (isUnsent(made) || isSetAside(made))) {
      for (const row of rows.toReversed()) await drop(ports, row, 'discarded');
      return { op: null };
    }
    const known = (await readMirror(db, type, target))?.body.updated_at;
    const times = rows.map((row) => (hasEffect(row, 'act') ? row.patch.fields.at : null));
    let sent = withoutPast(fields, [known, ...times]);
    for (const row of rows) {
      if (!hasEffect(row, 'act') || !isReplacedBy(row, name)) continue;
      sent = combine(name, row.patch.fields, sent);
      await drop(ports, row, 'replaced');
    }
    const patch = { act: name, fields: sent, title: getActTitle(name, title) };
    await append(ports, actOnRecord, { op, type, target, patch });
    return { op };
  });
}
