import type { FastifyInstance } from 'fastify';
import { directStore, type DirectStore } from './direct.ts';
import { uploadReceiver, type UploadReceiver } from './receive.ts';
import { uploadStore, type UploadStore } from './store.ts';

/** Services shared by the routes that accept files. */
export interface Uploads {
  store: UploadStore;
  receiver: UploadReceiver;
  /** Files that devices send to the bucket themselves. */
  direct: DirectStore;
}

export function openUploads(app: FastifyInstance): Uploads {
  const { db, clock, storage } = app.deps;
  const store = uploadStore(db, clock);
  const receiver = uploadReceiver(db, store, storage);
  // Record received bytes before the connections close.
  app.addHook('preClose', () => receiver.stop());
  return { store, receiver, direct: directStore(db, clock) };
}
