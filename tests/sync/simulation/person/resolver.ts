import { sectionOf } from '#contract/sections/index.ts';
import { sectionItems } from '#db/single-items.ts';
import type { OutboxRow } from '#db/rows.ts';
import { listWaiting } from '#sync/queue/waiting.ts';
import type { Run } from '../device.ts';
import { markersIn } from '../markers.ts';
import type { Prng } from '../prng.ts';
import type { Intent } from '../invariants/intent-log.ts';
import type { Simulation } from '../simulation.ts';
import { TEXTS, textsFor } from './texts.ts';
import type { Writer } from './writer.ts';

const isBehind = (one: OutboxRow, row: OutboxRow) =>
  one.lane === row.lane && one.seq > row.seq && one.sealedAt !== undefined;

/** Resolves changes that need the person. */
export class Resolver {
  readonly #simulation: Simulation;
  readonly #writer: Writer;

  constructor(simulation: Simulation, writer: Writer) {
    this.#simulation = simulation;
    this.#writer = writer;
  }

  /** Resolves one change that needs the person. Returns false if there is none. */
  async resolveOne(run: Run, prng: Prng): Promise<boolean> {
    const { needs } = await listWaiting(run.db, 0);
    if (needs.length === 0) return false;
    const { row } = prng.pick(needs);
    this.#simulation.note(`cure ${row.kind} ${row.type} ${row.seq} (${String(row.reason)})`);
    this.#simulation.hit(`cure ${String(row.reason)}`);
    if (prng.chance(0.25)) await this.#discard(run, row);
    else await this.#resolve(run, row, prng);
    return true;
  }

  async #discard(run: Run, row: OutboxRow): Promise<void> {
    const { intentLog } = this.#simulation;
    intentLog.abandon(run.device, run.userId, row);
    // The other device that has this change from a sealed file may have sent it. A later change to the same field then replaces it again.
    const behind = this.#isInFile(row) ? run.device.outbox(run.userId).filter((one) => isBehind(one, row)) : [];
    for (const { patch } of behind) {
      intentLog.allowAgain(Object.fromEntries(Object.entries(patch).filter(([field]) => field in row.patch)));
    }
    // What another tab writes to the record meanwhile is discarded, too.
    if (row.kind === 'create') intentLog.abandonRecord(run.device, row.target);
    await run.tolerate(() => run.engine.discard(row.op));
  }

  async #resolve(run: Run, row: OutboxRow, prng: Prng): Promise<void> {
    const { intentLog, server } = this.#simulation;
    const texts = row.type === 'media' ? ['name'] : [...(TEXTS[row.type] ?? []), 'description'];
    switch (row.reason) {
      case 'invalid':
      case 'toobig':
      case 'wrongtype': {
        const own = texts.filter((field) => field in row.patch);
        // Changes the invalid field and sometimes others.
        const isRed = (field: string) => row.lastError?.errors === undefined || field in row.lastError.errors;
        const written = own.filter((field) => isRed(field) || prng.chance(0.3));
        if ((row.kind !== 'create' && row.kind !== 'update') || written.length === 0) return this.#discard(run, row);
        const intent = this.#writer.recordIntent(run, { kind: 'update', type: row.type, target: row.target });
        // Changes from a sealed file have words of another device, which the person reads before correcting them.
        const shown = run.device.outbox(run.userId).filter(({ lane }) => lane === row.lane);
        for (const field of written) {
          intent.seen.set(field, new Set([row.base[field], ...shown.map(({ patch }) => patch[field])]));
        }
        this.#inherit(intent, row);
        if (row.kind === 'create') intentLog.withdrawSharedDelete(run.device, row);
        this.#allowFileAgain(row);
        const fields = textsFor(intent, written);
        await this.#writer.keep(run, intent, async () => {
          await run.engine.retryWithEdits({ op: row.op, type: row.type, id: row.target }, fields);
        });
        return;
      }
      case 'conflict': {
        const fields = row.kind === 'delete' ? ['any'] : Object.keys(row.patch);
        const choice = Object.fromEntries(fields.map((field) => [field, prng.pick(['mine', 'theirs'] as const)]));
        for (const intent of intentLog.getIntentsIn(row)) this.#writer.see(intent, row.theirs?.body ?? {});
        for (const intent of intentLog.getIntentsForRecord(run.device, row))
          this.#writer.see(intent, row.theirs?.body ?? {});
        // Another device may have sent our value from a sealed file, and somebody may have replaced it since.
        // The later changes of the file to the same field follow ours.
        const ours = this.#isInFile(row)
          ? [row, ...run.device.outbox(run.userId).filter((one) => isBehind(one, row))]
          : [];
        for (const { patch } of ours) {
          intentLog.allowAgain(Object.fromEntries(Object.entries(patch).filter(([f]) => choice[f] === 'mine')));
        }
        if (row.kind === 'delete' && choice['any'] === 'theirs') intentLog.abandonDelete(run.device, row);
        intentLog.abandonWords({
          ...row,
          patch: Object.fromEntries(Object.entries(row.patch).filter(([f]) => choice[f] === 'theirs')),
        });
        await run.tolerate(() => run.engine.resolveConflict(row.op, choice));
        return;
      }
      case 'gone': {
        const canRecreate = row.kind === 'update' && sectionOf(row.type)?.endpoints.create;
        if (!canRecreate) return this.#discard(run, row);
        const mirror = this.#writer.mirrorBody(
          run,
          row.type,
          intentLog.getServerIdOfTarget(run.device, row.target) ?? row.target,
        );
        const fields = Object.keys(sectionOf(row.type)!.fields);
        const whole = await this.#shownBody(run, row);
        intentLog.allowAgain({ ...whole, ...mirror, ...row.base, ...row.patch });
        const body = Object.fromEntries(fields.map((field) => [field, whole[field] ?? null]));
        intentLog.withdrawDelete(run.device, run.userId, row);
        intentLog.recreated.push({ device: run.device, type: row.type, body, after: intentLog.intents.length });
        intentLog.withdrawSharedDelete(run.device, row);
        await run.tolerate(() => run.engine.recreate(row.op));
        return;
      }
      case 'unconfirmed':
        this.#simulation.server.store.unconfirmed.clear();
        return run.tolerate(() => run.engine.tryNow());
      case 'forbidden':
      case 'stale':
      case 'suspect':
      case 'failed':
      case 'unknown-op':
      case 'unsure':
      case undefined: {
        for (const intent of intentLog.getIntentsIn(row)) {
          if (prng.chance(0.7)) server.refusals.delete(intent.marker);
          server.poison.delete(intent.marker);
        }
        // Asked whether an old change is still to be sent, the person looks at the record first.
        if (row.reason === 'stale') {
          const id = intentLog.getServerIdOfTarget(run.device, row.target) ?? row.target;
          const known = this.#writer.mirrorBody(run, row.type, id);
          for (const intent of intentLog.getIntentsIn(row)) this.#writer.see(intent, known);
        }
        if (row.reason === 'unsure') {
          if (prng.chance(0.5)) return run.tolerate(() => run.engine.checkIfSent(row.op));
          intentLog.allowAgain(row.patch);
        }
        if (!['unsure', 'suspect', 'failed', 'stale'].includes(row.reason ?? ''))
          intentLog.withdrawDelete(run.device, run.userId, row);
        if (row.kind === 'create') intentLog.withdrawSharedDelete(run.device, row);
        // The other device that has the change from a sealed file made the record, and it was deleted: the person asks for it anew.
        if (row.sealedAt !== undefined && this.#isMadeAndDeleted(row)) intentLog.allowAgain(row.patch);
        this.#allowFileAgain(row);
        await run.tolerate(() => run.engine.sendAgain(row.op));
      }
    }
  }

  /** Tells whether another device has the values of this change from a sealed file. */
  #isInFile(row: OutboxRow): boolean {
    const { intentLog } = this.#simulation;
    return intentLog.getIntentsIn(row).some(({ device }) => intentLog.hasOpeners(device));
  }

  /** Tells whether the server has had the record of a create, and it was deleted. */
  #isMadeAndDeleted(row: OutboxRow): boolean {
    const { store } = this.#simulation.server;
    const markers = new Set(markersIn(row.patch));
    return store.ledger.some(
      ({ kind, type, id, after }) =>
        kind === 'create' &&
        type === row.type &&
        markersIn(after).some((marker) => markers.has(marker)) &&
        !store.row(type, id),
    );
  }

  /** The other device has sent the file of a sealed change, and it was deleted: the person asks for it anew. */
  #allowFileAgain(row: OutboxRow): void {
    const { intentLog, server } = this.#simulation;
    if (row.sealedAt === undefined) return;
    for (const { sha256: digest } of intentLog.getIntentsIn(row)) {
      if (digest === undefined) continue;
      const wasStored = server.store.files.some((file) => file.sha256 === digest);
      const isStored = [...server.store.rows.values()].some(({ body }) => String(body.file_path).includes(digest));
      if (wasStored && !isStored) intentLog.allowFileAgain(digest);
    }
  }

  /** Returns the record of a change as the person sees it. */
  async #shownBody(run: Run, row: OutboxRow): Promise<Record<string, unknown>> {
    if (row.parent === null) return {};
    const items = await sectionItems(run.db, sectionOf(row.type)!, row.parent);
    return items.find(({ id }) => id === row.target)?.body ?? {};
  }

  /** A correction is based on what the person had seen when they wrote the first version. */
  #inherit(intent: Intent, row: OutboxRow): void {
    const corrected = this.#simulation.intentLog.getIntentsIn(row);
    intent.corrects = corrected.flatMap((earlier) => [earlier, ...(earlier.corrects ?? [])]);
    for (const earlier of corrected) {
      for (const [field, values] of earlier.seen) {
        const set = intent.seen.get(field) ?? new Set();
        for (const value of values) set.add(value);
        intent.seen.set(field, set);
      }
    }
  }
}
