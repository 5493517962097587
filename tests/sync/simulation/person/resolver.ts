import { sectionOf } from '#contract/sections/index.ts';
import { sectionItems } from '#db/queries.ts';
import type { OutboxRow } from '#db/rows.ts';
import { waiting } from '#sync/queue/waiting.ts';
import type { Run } from '../device.ts';
import type { Prng } from '../prng.ts';
import type { Wish } from '../invariants/intent-log.ts';
import type { World } from '../simulation.ts';
import { TEXTS, textsFor } from './texts.ts';
import type { Writer } from './writer.ts';

/** How the person deals with changes that wait for them. */
export class Mender {
  readonly #world: World;
  readonly #writer: Writer;

  constructor(world: World, writer: Writer) {
    this.#world = world;
    this.#writer = writer;
  }

  /** Deals with one change that needs the person. False when there is none. */
  async cure(run: Run, prng: Prng): Promise<boolean> {
    const { needs } = await waiting(run.db, 0);
    if (needs.length === 0) return false;
    const { row } = prng.pick(needs);
    this.#world.note(`cure ${row.kind} ${row.type} ${row.seq} (${String(row.reason)})`);
    this.#world.hit(`cure ${String(row.reason)}`);
    if (prng.chance(0.25)) await this.#discard(run, row);
    else await this.#mend(run, row, prng);
    return true;
  }

  async #discard(run: Run, row: OutboxRow): Promise<void> {
    const { memory } = this.#world;
    memory.giveUp(run.device, run.userId, row);
    // What is written to it in the meantime, in another tab, goes with it.
    if (row.kind === 'create') memory.giveUpRecord(run.device, row.target);
    await run.tolerate(() => run.engine.discard(row.op));
  }

  async #mend(run: Run, row: OutboxRow, prng: Prng): Promise<void> {
    const { memory, server } = this.#world;
    const texts = row.type === 'media' ? ['name'] : [...(TEXTS[row.type] ?? []), 'description'];
    switch (row.reason) {
      case 'invalid':
      case 'toobig':
      case 'wrongtype': {
        const own = texts.filter((field) => field in row.patch);
        // The red field is changed, some others too.
        const isRed = (field: string) => row.lastError?.errors === undefined || field in row.lastError.errors;
        const written = own.filter((field) => isRed(field) || prng.chance(0.3));
        if ((row.kind !== 'create' && row.kind !== 'update') || written.length === 0) return this.#discard(run, row);
        const wish = this.#writer.wish(run, { kind: 'update', type: row.type, target: row.target });
        for (const field of written) wish.seen.set(field, new Set([row.base[field]]));
        this.#inherit(wish, row);
        const fields = textsFor(wish, written);
        await this.#writer.keep(run, wish, async () => {
          await run.engine.retryWithEdits({ op: row.op, type: row.type, id: row.target }, fields);
        });
        return;
      }
      case 'conflict': {
        const fields = row.kind === 'delete' ? ['any'] : Object.keys(row.patch);
        const choice = Object.fromEntries(fields.map((field) => [field, prng.pick(['mine', 'theirs'] as const)]));
        for (const wish of memory.wishesIn(row)) this.#writer.see(wish, row.theirs?.body ?? {});
        for (const wish of memory.wishesBehind(run.device, row)) this.#writer.see(wish, row.theirs?.body ?? {});
        if (row.kind === 'delete' && choice['any'] === 'theirs') memory.giveUpDelete(run.device, row);
        memory.drop({
          ...row,
          patch: Object.fromEntries(Object.entries(row.patch).filter(([f]) => choice[f] === 'theirs')),
        });
        await run.tolerate(() => run.engine.resolveConflict(row.op, choice));
        return;
      }
      case 'gone': {
        const canMake = row.kind === 'update' && sectionOf(row.type)?.endpoints.create;
        if (!canMake) return this.#discard(run, row);
        const mirror = this.#writer.mirrorBody(
          run,
          row.type,
          memory.serverIdOfTarget(run.device, row.target) ?? row.target,
        );
        const fields = Object.keys(sectionOf(row.type)!.fields);
        const whole = await this.#shownBody(run, row);
        memory.allowAgain({ ...whole, ...mirror, ...row.base, ...row.patch });
        const body = Object.fromEntries(fields.map((field) => [field, whole[field] ?? null]));
        memory.remade.push({ device: run.device, type: row.type, body, after: memory.wishes.length });
        await run.tolerate(() => run.engine.recreate(row.op));
        return;
      }
      case 'forbidden':
      case 'stale':
      case 'suspect':
      case 'failed':
      case 'unknown-op':
      case 'unsure':
      case undefined: {
        for (const wish of memory.wishesIn(row)) {
          if (prng.chance(0.7)) server.refusals.delete(wish.marker);
          server.poison.delete(wish.marker);
        }
        if (row.reason === 'unsure') {
          if (prng.chance(0.5)) return run.tolerate(() => run.engine.checkIfSent(row.op));
          memory.allowAgain(row.patch);
        }
        if (!['unsure', 'suspect', 'failed'].includes(row.reason ?? ''))
          memory.takeBackDelete(run.device, run.userId, row);
        await run.tolerate(() => run.engine.sendAgain(row.op));
      }
    }
  }

  /** The record under a change as the person sees it. */
  async #shownBody(run: Run, row: OutboxRow): Promise<Record<string, unknown>> {
    if (row.parent === null) return {};
    const items = await sectionItems(run.db, sectionOf(row.type)!, row.parent);
    return items.find(({ id }) => id === row.target)?.body ?? {};
  }

  /** A correction stands on what the person had seen when they wrote the first version. */
  #inherit(wish: Wish, row: OutboxRow): void {
    for (const earlier of this.#world.memory.wishesIn(row)) {
      for (const [field, values] of earlier.seen) {
        const set = wish.seen.get(field) ?? new Set();
        for (const value of values) set.add(value);
        wish.seen.set(field, set);
      }
    }
  }
}
