import type { IdPair, MirrorRecord } from '#db/rows.ts';
import type { Disk } from '../disk.ts';
import type { FakeServer } from '../server/fake-server.ts';
import type { FakeStore } from '../server/fake-store.ts';
import { fail } from './violation.ts';

/** The part of a device that the mirror checks use. */
interface Holder {
  disk: Disk;
  runs: readonly { db: { name: string }; userId: string }[];
}

interface KnownState {
  /** Versions by `type id`. */
  versions: Map<string, number>;
  cursor: { generation: number; place: number } | null;
  ids: Map<string, IdPair>;
}

/**
 * Watches the mirror after every transaction: no version decreases, the cursor never covers a change that is missing,
 * and a local id keeps its server id.
 */
export class MirrorWatch {
  readonly #store: FakeStore;
  readonly #known = new Map<string, KnownState>();

  constructor({ server }: { server: FakeServer }) {
    this.#store = server.store;
  }

  onCommit(device: Holder, database: string, stores: ReadonlySet<string>): void {
    if (!stores.has('records') && !stores.has('cursors') && !stores.has('ids')) return;
    const known = this.#known.get(database) ?? { versions: new Map(), cursor: null, ids: new Map() };
    this.#known.set(database, known);
    const records = device.disk.rows<MirrorRecord>(database, 'records');
    if (stores.has('records')) this.#checkVersions(known, records);
    if (stores.has('ids')) this.#checkIds(known, device.disk.rows<IdPair>(database, 'ids'));
    if (stores.has('cursors')) this.#checkCursor(known, device, database, records);
  }

  forget(database: string): void {
    this.#known.delete(database);
  }

  #checkVersions(known: KnownState, records: readonly MirrorRecord[]): void {
    const versions = new Map<string, number>();
    for (const { type, id, version } of records) {
      if (version === null) continue;
      const name = `${type} ${id}`;
      const before = known.versions.get(name);
      if (before !== undefined && version < before) {
        fail('26 mirror', `${name} fell from version ${before} to ${version}`);
      }
      versions.set(name, version);
    }
    known.versions = versions;
  }

  #checkIds(known: KnownState, pairs: readonly IdPair[]): void {
    const ids = new Map(pairs.map((pair) => [pair.local, pair]));
    for (const [local, { type, server }] of known.ids) {
      const now = ids.get(local);
      if (now?.server !== server) {
        fail('26 mirror', `${type} ${server} was ${local} on this device and is ${now ? now.server : 'forgotten'} now`);
      }
    }
    known.ids = ids;
  }

  #checkCursor(known: KnownState, device: Holder, database: string, records: readonly MirrorRecord[]): void {
    const row = device.disk
      .rows<{ resource: string; value: string }>(database, 'cursors')
      .find(({ resource }) => resource === 'sync');
    const [, generation, place] = /^c(\d+)\.(\d+)$/.exec(row?.value ?? '') ?? [];
    const cursor = generation === undefined ? null : { generation: Number(generation), place: Number(place) };
    const before = known.cursor;
    known.cursor = cursor;
    if (cursor === null || (before?.generation === cursor.generation && before.place === cursor.place)) return;
    const isSame = before?.generation === cursor.generation;
    if (isSame && before.place > cursor.place) {
      fail('26 mirror', `the cursor fell from ${before.place} to ${cursor.place}`);
    }
    const userId = device.runs.find((run) => run.db.name === database)!.userId;
    const here = new Map(records.map((record) => [`${record.type} ${record.id}`, record]));
    for (const change of this.#store.changesAfter(userId, isSame ? before.place : 0)) {
      if (change.n > cursor.place) break;
      this.#checkCovered(change, here, cursor.place);
    }
  }

  /** Fails if the mirror lacks a change that the cursor covers. */
  #checkCovered(
    { type, id }: { type: string; id: string },
    here: ReadonlyMap<string, MirrorRecord>,
    place: number,
  ): void {
    // Attributes are several rows on the wire, without the empty ones. Some chat records are not part of a first pull.
    if (['attribute', 'message', 'conversation'].includes(type)) return;
    const row = this.#store.row(type === 'about_me' ? 'profile' : type, id);
    const record = here.get(`${type} ${id}`);
    if (!row && record && !record.gone)
      fail('26 mirror', `cursor ${place} passed the end of ${type} ${id}, which is here`);
    if (row && !record) fail('26 mirror', `cursor ${place} passed ${type} ${id}, which is not here`);
    if (row && record && record.version !== null && record.version < row.version) {
      fail('26 mirror', `cursor ${place} passed ${type} ${id} at ${row.version}; here it is at ${record.version}`);
    }
  }
}
