import type { FastifyInstance } from 'fastify';
import { uploadReceiver, type UploadReceiver } from './receive.ts';
import { uploadStore, type UploadStore } from './store.ts';

/** What the calls that take files share. */
export interface Uploads {
  store: UploadStore;
  receiver: UploadReceiver;
}

export function openUploads(app: FastifyInstance): Uploads {
  const { db, clock, storage } = app.deps;
  const store = uploadStore(db, clock);
  const receiver = uploadReceiver(store, storage);
  // What arrived is recorded before the connections close.
  app.addHook('preClose', () => receiver.stop());
  return { store, receiver };
}
