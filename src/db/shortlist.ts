import { comparePlaced } from '#contract/casting/position.ts';
import { type Column, findColumn, getColumns } from '#contract/casting/shortlist.ts';
import type { Candidate } from '#contract/records/shortlist.ts';
import { canonicalId } from './canonical.ts';
import { getAsked, isCard, readRole, type RequestView, type RoleView } from './casting-role.ts';
import { TABLES, type CastingItem, getRight, listProjects, type PerformerCard, read, readProject } from './casting.ts';
import type { AccountDb } from './database.ts';

/** The shortlist of a role with what waits on this device. */

/** What a card shows of a performer: as the server says, or as this device knows them until then. */
export type CandidateCard = PerformerCard & Partial<Candidate['performer']>;

export interface Card extends Omit<CastingItem<'candidate'>, 'body'> {
  /** The id of a column, which may have been removed. */
  column: string;
  position: string;
  performer: CandidateCard;
}

function toCard({ body, ...item }: CastingItem<'candidate'>): Card[] {
  // The server’s word, unless it was not heard yet.
  const performer = [body.performer, body.card].find(isCard);
  return performer === undefined
    ? []
    : [{ ...item, column: String(body.column), position: String(body.position), performer }];
}

/** One card for each performer: two devices may have added the same one. That of the server comes first. */
function withoutDoubles(cards: readonly Card[]): Card[] {
  const first = new Map<string, Card>();
  for (const card of cards) {
    const known = first.get(card.performer.profile_id);
    if (known === undefined || (known.serverId === null && card.serverId !== null))
      first.set(card.performer.profile_id, card);
  }
  return [...first.values()];
}

/** Orders by place. A card keeps its place among equals when the server gives it another id, as far as this device knows. */
const byPlace = (a: Card, b: Card): number =>
  comparePlaced({ ...a, id: a.serverId ?? a.id }, { ...b, id: b.serverId ?? b.id });

/** The cards of a role in the order of their places, whatever their column. @param roleId of either side */
export const listCards = (db: AccountDb, roleId: string): Promise<Card[]> =>
  db.transaction('r', TABLES(db), async () => {
    const { items } = await read(db, 'candidate', await canonicalId(db, 'role', roleId));
    return withoutDoubles(items.flatMap(toCard)).sort(byPlace);
  });

export interface ColumnView extends Column {
  cards: CardView[];
}

/** A card with the newest request to its performer that was not withdrawn. */
export type CardView = Card & { request: RequestView | null };

export interface ShortlistView extends RoleView {
  columns: ColumnView[];
  count: number;
}

/** The shortlist of a role; null if this device does not have the role. @param id of either side */
export const readShortlist = (db: AccountDb, id: string): Promise<ShortlistView | null> =>
  db.transaction('r', TABLES(db), async () => {
    const view = await readRole(db, id);
    if (view === null) return null;
    const columns = getColumns(view.role.body);
    const asked = view.requests.filter(({ body }) => body.withdrawn_at === null);
    const cards = (await listCards(db, view.role.id)).map((card) => ({
      ...card,
      request: asked.find((request) => getAsked(request)?.profile_id === card.performer.profile_id) ?? null,
    }));
    const inColumn = ({ id: column }: Column) =>
      cards.filter((card) => findColumn(columns, card.column)?.id === column);
    return {
      ...view,
      count: cards.length,
      columns: columns.map((column) => ({ ...column, cards: inColumn(column) })),
    };
  });

/** A role to whose shortlist somebody can be added. */
export interface OpenRole {
  role: CastingItem<'role'>;
  project: CastingItem<'project'>;
  /** Whether this performer is on its shortlist. */
  isListed: boolean;
}

/** The roles that are open in open projects of which the person may change shortlists, by project. @param profileId of a performer */
export const listOpenRoles = (db: AccountDb, profileId: string): Promise<OpenRole[]> =>
  db.transaction('r', TABLES(db), async () => {
    const found: OpenRole[] = [];
    for (const project of await listProjects(db)) {
      if (project.body.status !== 'open' || getRight(project) === 'read') continue;
      for (const { role } of (await readProject(db, project.id))?.roles ?? []) {
        if (role.body.status !== 'open') continue;
        const cards = await listCards(db, role.id);
        found.push({ role, project, isListed: cards.some(({ performer }) => performer.profile_id === profileId) });
      }
    }
    return found;
  });
