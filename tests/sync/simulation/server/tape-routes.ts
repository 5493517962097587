import { AUDITION_CALLS } from '#contract/casting-calls.ts';
import { computeFinished } from '#contract/casting/finished.ts';
import { isDeclined } from '#contract/casting/state.ts';
import type { AuditionRequest } from '#contract/records/casting.ts';
import { announceBody, arriveBody } from '#contract/records/tapes.ts';
import { epoch } from '../scheduler.ts';
import type { Body, StoredRow } from './fake-store.ts';
import type { Call, Routes } from './routes.ts';
import { ok, Refused } from './wire.ts';

/**
 * Tapes that performers send: announced first, and arrived once every upload is there.
 * @param changeRequest writes facts of a request, which both sides read
 */
export function tapeRoutes(routes: Routes, changeRequest: (row: StoredRow, patch: Body, device: string) => void): void {
  const { store } = routes;
  /** The uploads that each tape was announced with. */
  const announced = new Map<string, string[]>();
  const present = (row: StoredRow, call: Call) => store.presenters.get('tape')!(row.id, call.userId, false)!;
  const now = () => epoch + Math.floor(store.now());
  const stamp = () => new Date(now()).toISOString();

  const announce = (call: Call) => {
    const known = routes.findByClientId(call, 'tape');
    if (known) return ok({ message: 'Already there', data: present(known, call) });
    const read = announceBody.safeParse(call.json);
    if (!read.success) throw new Refused(422, 'Check');
    const { takes, cv, note, no_links, request_id: requestId, finished_device, clock_offset, clock_age } = read.data;
    const row = store.row('request', requestId);
    if (row?.body['performer_id'] !== call.userId) throw new Refused(404, 'No audition');
    const facts = row.body as AuditionRequest;
    if (facts.withdrawn_at !== null || isDeclined(facts)) {
      const data = store.presenters.get('audition')!(row.id, call.userId, false);
      return ok({ message: 'This takes no tape', data }, 409);
    }
    const sent = Number(call.request.headers['x-device-time']);
    const finished = computeFinished({
      finishedDevice: Date.parse(finished_device),
      offset: clock_offset ?? null,
      offsetAge: clock_age ?? null,
      sentDevice: Number.isFinite(sent) ? sent : null,
      now: now(),
      askedAt: Date.parse(facts.asked_at),
    });
    const body = {
      number: store.rowsOf('tape', requestId).length + 1,
      takes: takes.map(({ name, size }) => ({ name, size, path: null })),
      cv: cv ? { name: cv.name, size: cv.size, pages: null, path: null } : null,
      note: note ?? null,
      no_links,
      finished_at: new Date(finished.at).toISOString(),
      finished_by: finished.by,
      announced_at: stamp(),
      arrived_at: null,
      state: 'announced',
    };
    const about = { userId: call.userId, profileId: requestId, clientId: routes.clientIdOf(call) };
    const tape = store.insert({ ...about, type: 'tape', id: store.newId(), body }, call.device);
    announced.set(
      tape.id,
      [...takes, ...(cv ? [cv] : [])].map(({ upload_id }) => upload_id),
    );
    if (facts.announced_at === null) changeRequest(row, { announced_at: stamp() }, call.device);
    return ok({ message: 'Announced', data: present(tape, call) }, 201);
  };

  const arrive = (call: Call, id?: string) => {
    const tape = store.row('tape', id ?? '');
    if (tape?.userId !== call.userId) throw new Refused(404, 'No such tape');
    if (tape.body['state'] !== 'announced') return ok({ message: 'Arrived', data: present(tape, call) });
    const read = arriveBody.safeParse(call.json);
    const expected = announced.get(tape.id)!;
    const named = read.success ? read.data.upload_ids : [];
    if (named.length !== expected.length || !expected.every((each) => named.includes(each)))
      throw new Refused(422, 'Check', { takes: ['These are not the files of this tape'] });
    const uploads = expected.map((each) => store.uploads.get(each));
    for (const upload of uploads) {
      if (upload?.userId !== call.userId || upload.bytes.length < upload.length)
        throw new Refused(422, 'Check', { upload_ids: ['This upload has expired. Add the file again'] });
    }
    for (const upload of uploads) {
      store.attached.push(upload!);
      store.uploads.delete(upload!.id);
    }
    // A tape that was replaced before it came stays behind the newer one.
    const others = store.rowsOf('tape', tape.profileId).filter(({ body }) => body['state'] === 'arrived');
    const isNewest = others.every(({ body }) => Number(body['number']) < Number(tape.body['number']));
    if (isNewest) for (const other of others) store.change(other, { state: 'replaced' }, call.device);
    const cv = tape.body['cv'] as Body | null;
    const facts = { state: isNewest ? 'arrived' : 'replaced', arrived_at: stamp() };
    store.change(tape, { ...facts, cv: cv && { ...cv, pages: 1, path: `/storage/cv-${tape.id}.pdf` } }, call.device);
    const request = store.row('request', tape.profileId)!;
    if ((request.body as AuditionRequest).arrived_at === null)
      changeRequest(request, { arrived_at: stamp() }, call.device);
    return ok({ message: 'Arrived', data: present(tape, call) });
  };

  for (const [{ method, path }, run] of [
    [AUDITION_CALLS.announceTape, announce],
    [AUDITION_CALLS.arriveTape, arrive],
  ] as const)
    routes.add(method, path, run, { isExtension: true });
}
