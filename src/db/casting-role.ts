import { findReplaced } from '#contract/casting/state.ts';
import type { AuditionRequest } from '#contract/records/casting.ts';
import type { Member } from '#contract/records/members.ts';
import type { Grade, Mark } from '#contract/records/tapes.ts';
import { canonicalId, getParentType } from './canonical.ts';
import { applyCasting } from './casting-acts.ts';
import { type CastingItem, find, getUserId, isIn, type PerformerCard, read, TABLES } from './casting.ts';
import type { AccountDb } from './database.ts';
import { hasEffect } from './patches.ts';
import type { OutboxRow } from './rows.ts';

/** A role as the side that casts works with it: who was asked, their tapes, and what is thought of them. */

export interface RoleView {
  role: CastingItem<'role'>;
  project: CastingItem<'project'>;
  /** Newest first. */
  requests: RequestView[];
  /** The accounts of those who work in the project or are invited to it. They cannot be asked to tape for it. */
  colleagueIds: ReadonlySet<string>;
}

/** A request with what was sent for it, and what the person and others of the project think of that. */
export type RequestView = CastingItem<'request'> & {
  /** Whether the performer has a request of a later round, where they hear the last word. */
  isReplaced: boolean;
  tape: CastingItem<'tape'> | null;
  mark: MarkView;
  /** What others in the project think of the tape, in the order of their names. */
  others: OthersMark[];
};

export interface MarkView {
  grade: Grade | null;
  text: string;
}

/** What somebody else thinks of a tape. */
export interface OthersMark extends MarkView {
  key: string;
  author: string;
}

export const isCard = (value: unknown): value is PerformerCard =>
  typeof value === 'object' && value !== null && 'profile_id' in value && 'name' in value;

/** Who is asked: as the server says, or as this device knows them until then. */
export const getAsked = ({ body }: Pick<CastingItem<'request'>, 'body'>): PerformerCard | undefined =>
  [body.performer, body.card].find(isCard);

/** Whether the performer of a request that was sent has left or blocked the sender, and can no longer be reached. */
export const hasLeft = ({ serverId: id, body }: Pick<CastingItem<'request'>, 'serverId' | 'body'>): boolean =>
  id !== null && body.performer === null;

/** A role with its project and the requests for it; null if this device does not have it. @param id of either side */
export const readRole = (db: AccountDb, id: string): Promise<RoleView | null> =>
  db.transaction('r', TABLES(db), async () => {
    const { items, rows } = await read(db, 'role');
    const role = find(items, await canonicalId(db, 'role', id));
    if (role === undefined) return null;
    const project = find(
      (await read(db, 'project')).items,
      await canonicalId(db, getParentType('role'), role.parent ?? ''),
    );
    if (project === undefined) return null;
    const ofRole = rows.filter(({ target }) => target === role.id || target === role.serverId);
    const tapes = await read(db, 'tape');
    const marks = (await read(db, 'mark')).items;
    const members = (await read(db, 'project_member', project.id)).items;
    const names = nameAuthors(members);
    const asked = (await read(db, 'request', role.id)).items;
    const replaced = findReplaced(asked.map(({ body }) => body));
    const requests = asked.map((item) => {
      const isReplaced = item.serverId !== null && replaced.has(item.serverId);
      const tape = getCurrentTape(tapes.items.filter(({ parent }) => parent === item.serverId));
      return {
        ...item,
        isReplaced,
        body: { ...item.body, ...applyCasting(withServerId(item), ofRole, isReplaced || hasLeft(item)), id: item.id },
        tape,
        mark: readMark(tape, marks.filter(isOwn(db)), tapes.rows),
        others: readOthers(
          tape,
          marks.filter((mark) => !isOwn(db)(mark)),
          names,
        ),
      };
    });
    return { role, project, requests, colleagueIds: new Set(members.filter(isIn).map(getUserId)) };
  });

/** The tape that counts: the newest that has arrived, or else the newest. */
export function getCurrentTape(tapes: readonly CastingItem<'tape'>[]): CastingItem<'tape'> | null {
  const newestFirst = tapes.toSorted((a, b) => b.body.number - a.body.number);
  return newestFirst.find(({ body }) => body.state === 'arrived') ?? newestFirst[0] ?? null;
}

/** Marks without an author were stored by an older version of the app, which read those of the person alone. */
const isOwn =
  (db: AccountDb) =>
  ({ body }: CastingItem<'mark'>): boolean =>
    body.author_id === undefined || body.author_id === db.userId;

const FORMER = 'Former colleague';

/** The names of those who may have written marks, by their ids. */
function nameAuthors(members: readonly CastingItem<'project_member'>[]): Map<string, string> {
  const people = members.flatMap(({ body }) => [body.user, body.owner] as (Member['user'] | undefined)[]);
  return new Map(people.flatMap((person) => (person === undefined ? [] : [[person.user_id, person.name]])));
}

/** What others think of a tape: those who said something. */
function readOthers(
  tape: CastingItem<'tape'> | null,
  marks: readonly CastingItem<'mark'>[],
  names: ReadonlyMap<string, string>,
): OthersMark[] {
  return marks
    .filter(({ parent, body }) => tape !== null && parent === tape.serverId && (body.grade ?? body.text) !== null)
    .map(({ key, body: { author_id: id, grade, text } }) => {
      const author = id == null ? FORMER : (names.get(id) ?? FORMER);
      return { key, author, grade, text: text ?? '' };
    })
    .sort((one, other) => one.author.localeCompare(other.author));
}

/** What the person thinks of a tape, with what waits here. */
function readMark(
  tape: CastingItem<'tape'> | null,
  marks: readonly CastingItem<'mark'>[],
  rows: readonly OutboxRow[],
): MarkView {
  const said = marks.find(({ parent }) => tape !== null && parent === tape.serverId)?.body;
  const waiting = rows.flatMap((row) =>
    row.target === tape?.id && row.state !== 'attention' && hasEffect(row, 'act') && row.patch.act === 'mark'
      ? [row.patch.fields]
      : [],
  );
  const { grade = null, text = null } = Object.assign({ ...said }, ...waiting) as Partial<Mark>;
  return { grade, text: text ?? '' };
}

/** Casting names requests by the ids that the server knows. */
const withServerId = ({ body, serverId: id }: CastingItem<'request'>): AuditionRequest => ({
  ...body,
  id: id ?? body.id,
});
