import type { ServerAdapter } from '../engine-ports.ts';
import { BYTES_TIMEOUT_MS, jsonRequest } from '../operations/build-request.ts';
import { sendPieces } from '../files/upload.ts';

/** Callboard's own server: idempotency keys, versions, resumable uploads. */
export const fullApi: ServerAdapter = {
  isRepeatSafe: true,
  needsProbe: () => false,
  hasCall: () => true,
  addPrecondition(request, version) {
    if (version === 'none') request.headers['if-none-match'] = '*';
    else if (version !== null) request.headers['if-match'] = `"${version}"`;
    return request;
  },
  isFileReady: ({ state }) => state === 'sent' || state === 'kept',
  getUploadFields: (uploadId) => ({ upload_id: uploadId }),
  // The server checks and stores the file before it answers, which takes a while for a large one.
  buildFileRequest: (_db, path, _file, { json }) =>
    Promise.resolve({ ...jsonRequest('POST', path, json), timeoutMs: BYTES_TIMEOUT_MS }),
  getUnchangedFields: () => Promise.resolve({}),
  sendFile: sendPieces,
  checkBeforeSend: () => Promise.resolve(null),
};
