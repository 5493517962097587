import { AUDITION_CALLS } from '#contract/casting-calls.ts';
import { announceBody, arriveBody } from '#contract/records/tapes.ts';
import type { Body, StoredRow } from './fake-store.ts';
import type { Call, Routes } from './routes.ts';
import { ok, Refused } from './wire.ts';

/** Tapes that performers send: announced first, and arrived once every upload is there. */
export function tapeRoutes(routes: Routes): void {
  const { store } = routes;
  /** The uploads that each tape was announced with. */
  const announced = new Map<string, string[]>();
  const present = ({ id, clientId, version, profileId, body }: StoredRow): Body => ({
    id,
    client_id: clientId,
    version,
    request_id: profileId,
    ...body,
  });

  const announce = (call: Call) => {
    const known = routes.findByClientId(call, 'tape');
    if (known) return ok({ message: 'Already there', data: present(known) });
    const read = announceBody.safeParse(call.json);
    if (!read.success) throw new Refused(422, 'Check');
    const { takes, cv, request_id: requestId } = read.data;
    if (store.row('request', requestId)?.body['performer_id'] !== call.userId) throw new Refused(404, 'No audition');
    const body = {
      number: store.rowsOf('tape', requestId).length + 1,
      takes: takes.map(({ name, size }) => ({ name, size, path: null })),
      cv: cv ? { name: cv.name, size: cv.size, pages: null, path: null } : null,
      state: 'announced',
    };
    const about = { userId: call.userId, profileId: requestId, clientId: routes.clientIdOf(call) };
    const row = store.insert({ ...about, type: 'tape', id: store.newId(), body }, call.device);
    announced.set(
      row.id,
      [...takes, ...(cv ? [cv] : [])].map(({ upload_id }) => upload_id),
    );
    return ok({ message: 'Announced', data: present(row) }, 201);
  };

  const arrive = (call: Call, id?: string) => {
    const tape = store.row('tape', id ?? '');
    if (tape?.userId !== call.userId) throw new Refused(404, 'No such tape');
    if (tape.body['state'] === 'arrived') return ok({ message: 'Arrived', data: present(tape) });
    const read = arriveBody.safeParse(call.json);
    const expected = announced.get(tape.id)!;
    const named = read.success ? read.data.upload_ids : [];
    if (named.length !== expected.length || !expected.every((each) => named.includes(each)))
      throw new Refused(422, 'Check', { takes: ['These are not the files of this tape'] });
    for (const each of expected) {
      const upload = store.uploads.get(each);
      if (upload?.userId !== call.userId || upload.bytes.length < upload.length)
        throw new Refused(422, 'Check', { upload_ids: ['This upload has expired. Add the file again'] });
    }
    for (const each of expected) store.uploads.delete(each);
    const cv = tape.body['cv'] as Body | null;
    const change = { state: 'arrived', cv: cv && { ...cv, pages: 1, path: `/storage/cv-${tape.id}.pdf` } };
    store.change(tape, change, call.device);
    return ok({ message: 'Arrived', data: present(tape) });
  };

  for (const [{ method, path }, run] of [
    [AUDITION_CALLS.announceTape, announce],
    [AUDITION_CALLS.arriveTape, arrive],
  ] as const)
    routes.add(method, path, run, { isExtension: true });
}
