import type { WireAnswer } from '#net/wire.ts';
import { getEffect } from '#db/effects.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Verdict } from '../../send/verdict.ts';
import { readList } from '../lists.ts';
import { sameValue } from '../../conflict/merge.ts';
import type { Ports } from '../../ports.ts';
import { clientIdOf } from '../../operations/build-request.ts';
import { SLACK_MS, unsure } from './unsure.ts';

/**
 * Checks whether a create whose response was lost is on a server without idempotency keys. One match acknowledges the
 * row. Without a match, the row may be sent again. If the check cannot decide, the user does. A request still in flight
 * can arrive after the check, which nothing can detect without keys (docs/decisions/002-outbox.md).
 */
export async function probeCreate(
  db: AccountDb,
  ports: Pick<Ports, 'transport' | 'clock'>,
  row: OutboxRow,
  profileId: string | null,
  read: (answer: WireAnswer) => Verdict,
): Promise<Verdict | 'not there'> {
  if (getEffect(row) !== 'create' || profileId === null) return unsure();
  const list = await readList(db, ports, row.type, profileId);
  if ('failed' in list) {
    const verdict = read(list.failed);
    return verdict.do === 'again' || verdict.do === 'rate-limited' || verdict.do === 'sign-in' ? verdict : unsure();
  }
  const known = new Set(
    (await db.ids.where('[type+server]').between([row.type, ''], [row.type, '\uffff']).toArray()).map(
      (pair) => pair.server,
    ),
  );
  const matches = list.rows.filter((each) => {
    if (each.client_id != null) return each.client_id === clientIdOf(row.target);
    if (known.has(String(each.id))) return false;
    const made = typeof each.created_at === 'string' ? Date.parse(each.created_at) : NaN;
    if (Number.isFinite(made) && made < row.createdAt - SLACK_MS) return false;
    return Object.entries(row.patch).every(([field, value]) => !(field in each) || sameValue(each[field], value));
  });
  const [match] = matches;
  if (match === undefined) return 'not there';
  if (matches.length === 1) return { do: 'done', record: match, existed: false };
  return unsure(': there are several like it');
}
