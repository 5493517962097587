import type { ActName, ActType } from '#contract/casting/acts.ts';
import { joinColumnChanges, readColumnChanges } from '#contract/casting/shortlist.ts';
import { canonicalId } from '#db/canonical.ts';
import { getEffect } from '#db/effects.ts';
import { hasEffect } from '#db/patches.ts';
import type { OutboxRow } from '#db/rows.ts';
import { actOnRecord } from '../operations/act.ts';
import { getRecordLane } from '../operations/operation.ts';
import { type DaySetting, setDays } from './availability.ts';
import { readMirror } from './mirror.ts';
import { append, drop, getTables, laneRows, type OutboxPorts, type Values } from './outbox.ts';
import { hasNotArrived, isSetAside, isUnsent } from './planner.ts';

/** What is done with which record, or said about which days. */
export type Act = RecordAct | { type: 'availability'; act: 'set'; days: readonly DaySetting[] };

type RecordAct = {
  [T in Exclude<ActType, 'availability'>]: {
    type: T;
    id: string;
    act: ActName<T>;
    /** What is sent with it. */
    fields?: Values;
    /** The name of the record: 'Naseem, The Salt Road'. */
    title: string;
  };
}[Exclude<ActType, 'availability'>];

/** What each act is called in "Waiting to send". Screens that offer an act have their own words. */
const WORDS: Record<RecordAct['act'], string> = {
  seen: 'Opened',
  confirm: 'Say yes',
  decline: 'Say no',
  answer: 'Answer',
  withdraw: 'Withdraw',
  cast: 'Role is cast',
  columns: 'Columns of the shortlist',
  arrive: 'Takes',
  viewed: 'Watched',
  mark: 'Mark',
  join: 'Join',
  refuse: 'Decline',
  leave: 'Leave',
  revoke: 'Revoke',
};

/** What an act is called: 'Say yes: Naseem, The Salt Road'. */
export const getActTitle = (act: RecordAct['act'], title: string): string => `${WORDS[act]}: ${title}`;

/** Acts of which only the last one counts: a yes replaces a no that has not left the device. */
const REPLIES: readonly string[] = ['confirm', 'decline', 'join', 'refuse'];

/** Acts that undo what was made: if it has not left the device, nothing has to be sent. */
const UNDOINGS: readonly string[] = ['withdraw', 'revoke'];

const isReplacedBy = (row: OutboxRow, act: string): boolean =>
  hasEffect(row, 'act') &&
  (isUnsent(row) || isSetAside(row)) &&
  (row.patch.act === act ? act !== 'answer' : REPLIES.includes(act) && REPLIES.includes(row.patch.act));

/**
 * What a repeated act says: the seconds of a tape that was watched add up, and a mark or a change of columns keeps what it said of something
 * else.
 */
function combine(act: RecordAct['act'], before: Values, fields: Values): Values {
  if (act === 'viewed') return { seconds: Number(before.seconds) + Number(fields.seconds) };
  if (act === 'columns') return { columns: joinColumnChanges(readColumnChanges(before), readColumnChanges(fields)) };
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
 * Queues an act. Repeating one that has not left the device changes nothing but what it says, and a request or a link that has not
 * left is withdrawn by being removed.
 * @returns the queued change; `op` is null when nothing is left to send
 */
export async function act(ports: OutboxPorts, what: Act): Promise<{ op: string | null }> {
  if (what.type === 'availability') return setDays(ports, what.days);
  const { type, id, act: name, fields = {}, title } = what;
  const { db, chance } = ports;
  const op = chance.uuid();
  return db.transaction('rw', getTables(db), async () => {
    const target = await canonicalId(db, type, id);
    const rows = await laneRows(db, getRecordLane({ type, target }));
    const made = rows.find((row) => getEffect(row) === 'create');
    if (UNDOINGS.includes(name) && made && hasNotArrived(made)) {
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
