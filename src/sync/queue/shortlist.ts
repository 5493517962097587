import { positionBetween } from '#contract/casting/position.ts';
import type { PerformerCard } from '#db/casting.ts';
import { listCards } from '#db/shortlist.ts';
import { create, getTables, type OutboxPorts, update } from './outbox.ts';

/** Performers who come on the shortlist of a role. */
export interface NewCandidates {
  /** The id of the role on either side. */
  roleId: string;
  /** The id of the column at whose end they stand. */
  column: string;
  performers: readonly PerformerCard[];
}

/** Where a card is to stand. */
export interface CandidatePlace {
  id: string;
  column: string;
  position: string;
}

/**
 * Queues performers for the end of a column, all of them or none. Another tab may have added one of them: one card is enough.
 * @returns how many were not on the shortlist before
 */
export async function addCandidates(
  ports: OutboxPorts,
  { roleId, column, performers }: NewCandidates,
): Promise<{ added: number }> {
  const { db } = ports;
  return db.transaction('rw', getTables(db), async () => {
    const cards = await listCards(db, roleId);
    const known = new Set(cards.map(({ performer }) => performer.profile_id));
    let last = cards.findLast((card) => card.column === column)?.position ?? null;
    const added = performers.filter(({ profile_id: id }, n) => {
      const isFirst = performers.findIndex((each) => each.profile_id === id) === n;
      return isFirst && !known.has(id);
    });
    for (const card of added) {
      last = positionBetween(last, null);
      const place = { column, position: last };
      const fields = { profile_id: card.profile_id, performer_name: card.name, card, ...place };
      await create(ports, 'candidate', roleId, fields);
    }
    return { added: added.length };
  });
}

/** Queues moves. Of several moves of one card that have not left, the last one is sent. */
export async function moveCandidates(
  ports: OutboxPorts,
  places: readonly CandidatePlace[],
): Promise<{ op: string | null }> {
  const { db } = ports;
  return db.transaction('rw', getTables(db), async () => {
    let op: string | null = null;
    for (const { id, column, position } of places)
      ({ op } = await update(ports, 'candidate', id, { column, position }));
    return { op };
  });
}
