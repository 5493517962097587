import type { MediaType } from '#contract/media-types.ts';
import { listAuditions } from '#db/casting.ts';
import type { Prng } from '../simulation/prng.ts';
import { markerOf, markersIn } from '../simulation/markers.ts';
import { pickedFile } from '../simulation/person/picked-file.ts';
import { fail } from '../simulation/invariants/violation.ts';
import { sha256 } from '../simulation/server/fake-store.ts';
import { epoch } from '../simulation/scheduler.ts';
import type { CastingRun, CastingSimulation } from './simulation.ts';

const MINUTE_MS = 60_000;
/** How far the server's own idea of a checked time may be from the truth: twice what it tolerates. */
const CHECKED_MS = 4 * MINUTE_MS;
const UNCHECKED_MS = 2 * MINUTE_MS;

/** Stores a file of its own on a device. @returns its id */
export async function storeFile(simulation: CastingSimulation, run: CastingRun, prng: Prng, kind: MediaType) {
  const picked = pickedFile(prng, simulation.files.size + 1, kind);
  const { id } = await run.engine.importFile(picked.file);
  simulation.files.set(id, picked.sha256);
  return id;
}

/** Sends one or two takes, some with a CV. A performer may send several tapes for one audition. */
export async function sendSomeTape(simulation: CastingSimulation, run: CastingRun, prng: Prng): Promise<void> {
  const all = (await listAuditions(run.db)).filter(({ serverId }) => serverId !== null);
  const wanted = all.filter(({ body }) => body.withdrawn_at === null);
  const choice = wanted.length > 0 && prng.chance(0.9) ? wanted : all;
  if (choice.length === 0) return;
  const item = prng.pick(choice);
  const takes = [await storeFile(simulation, run, prng, 'video')];
  if (prng.chance(0.3)) takes.push(await storeFile(simulation, run, prng, 'video'));
  const cv = prng.chance(0.3) ? await storeFile(simulation, run, prng, 'document') : null;
  const intent = simulation.intents.begin({
    device: run.device,
    kind: 'create',
    type: 'tape',
    target: `tape for ${item.serverId}`,
    at: epoch + Math.floor(simulation.scheduler.now),
  });
  simulation.note(`${run.device.name}: tape for ${item.serverId} ${markerOf(intent.marker)}`);
  await run.engine.sendTape({
    auditionId: item.serverId!,
    takes: takes.map((mediaId, n) => ({ mediaId, name: `Take ${n + 1}.mp4`, label: null })),
    cv: cv === null ? null : { mediaId: cv, name: 'CV' },
    note: markerOf(intent.marker),
    noLinks: false,
    title: 'A request',
  });
  intent.state = 'accepted';
}

/** Every tape has come with its bytes, once, and at the time at which it was finished. */
export function checkFiles({ server, files, intents, jumped, abandoned }: CastingSimulation): void {
  const { store } = server;
  const met = new Set<string>();
  for (const { id, bytes } of store.attached) {
    if (met.has(id)) fail('2 at most once', `the file ${id} was attached twice`);
    met.add(id);
    if (files.get(id) !== sha256(bytes)) fail('16 upload integrity', `the file ${id} has other bytes than were picked`);
  }
  for (const { type, id, body } of store.rows.values()) {
    const intent = type === 'tape' ? intents.of(markersIn(body['note'])[0] ?? 0) : undefined;
    if (intent === undefined) continue;
    const what = `tape ${id} of ${intent.device.name}`;
    const isGivenUp = intents.wasTaken(intent) || abandoned.has(intent.device);
    const mayStay = intent.state !== 'accepted' || intents.isSuperseded(intent) || isGivenUp;
    if (body['state'] === 'announced' && !mayStay) fail('1 nothing lost', `${what} was announced and never arrived`);
    if (intents.refused.has(intent.marker)) continue;
    const finishedAt = Date.parse(String(body['finished_at']));
    const arrivedAt = body['arrived_at'] === null ? Infinity : Date.parse(String(body['arrived_at']));
    if (finishedAt > arrivedAt) fail('both times', `${what} was finished after it had arrived`);
    // A clock that was turned meanwhile can be wrong in every way that the rules allow.
    if (jumped.has(intent.device)) continue;
    const late = finishedAt - intent.at!;
    const isRight = late > -UNCHECKED_MS && (body['finished_by'] !== 'checked' || late < CHECKED_MS);
    if (!isRight)
      fail('both times', `${what} was finished ${late} ms later than it was, ${String(body['finished_by'])}`);
  }
}
