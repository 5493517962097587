import { sha256 } from './fake-store.ts';
import type { Call, Routes } from './routes.ts';
import { Refused } from './wire.ts';

/** Endpoints for resumable uploads. */
export function uploadRoutes(routes: Routes): void {
  const { uploads } = routes.store;
  const version = { 'tus-resumable': '1.0.0' };
  const own = (call: Call, id: string | undefined) => {
    const upload = uploads.get(id ?? '');
    if (!upload || upload.userId !== call.userId) throw new Refused(404, 'No such upload');
    return upload;
  };
  const at = (offset: number) => ({ ...version, 'upload-offset': String(offset) });
  routes.add('POST', '/uploads', (call) => {
    const metadata = call.request.headers['upload-metadata'] ?? '';
    const encoded = /(?:^|,)\s*id ([^,\s]+)/.exec(metadata)?.[1] ?? '';
    const id = Buffer.from(encoded, 'base64').toString();
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new Refused(422, 'Send a UUID', { id: ['Send a UUID'] });
    const length = Number(call.request.headers['upload-length']);
    if (!Number.isInteger(length)) throw new Refused(400, 'Send Upload-Length');
    const known = uploads.get(id);
    if (known && known.userId !== call.userId) throw new Refused(409, 'This upload is not yours');
    const bytes = known?.bytes ?? Buffer.alloc(0);
    if (!known) {
      const made = { id, userId: call.userId, length, bytes, received: 0, sha256: null, used: false };
      uploads.set(id, made);
    }
    return { status: 201, headers: { ...at(bytes.length), location: `/uploads/${id}` }, body: undefined };
  });
  routes.add('HEAD', '/uploads/:id', (call, id) => {
    const upload = own(call, id);
    const headers: Record<string, string> = { ...at(upload.bytes.length), 'upload-length': String(upload.length) };
    if (upload.bytes.length === upload.length) headers['upload-sha256'] = sha256(upload.bytes);
    return { status: 200, headers, body: undefined };
  });
  routes.add('PATCH', '/uploads/:id', (call, id) => {
    const upload = own(call, id);
    const bytes = call.request.body.kind === 'bytes' ? call.request.body.bytes : Buffer.alloc(0);
    const offset = Number(call.request.headers['upload-offset']);
    if (offset !== upload.bytes.length) throw new Refused(409, 'Not the offset this upload is at');
    if (offset + bytes.length > upload.length) throw new Refused(413, 'More than was announced');
    upload.bytes = Buffer.concat([upload.bytes, bytes]);
    upload.received += bytes.length;
    return { status: 204, headers: at(upload.bytes.length), body: undefined };
  });
  routes.add('DELETE', '/uploads/:id', (call, id) => {
    uploads.delete(own(call, id).id);
    return { status: 204, headers: version, body: undefined };
  });
}
