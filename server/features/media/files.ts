import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { uploadReceiver } from '#server/features/uploads/receive.ts';
import { uploadRoutes } from '#server/features/uploads/routes.ts';
import { uploadStore } from '#server/features/uploads/store.ts';
import { mediaRoutes } from './routes.ts';
import { mediaByIds, presentFor } from './store.ts';
import { storedFileRoutes } from './stored-files.ts';

/** Everything about files: uploads, photos, the avatar, and the stored files themselves. */
export function fileRoutes(app: FastifyInstance): void {
  const { db, clock, storage } = app.deps;
  const store = uploadStore(db, clock);
  const receiver = uploadReceiver(store, storage);
  // What arrived is recorded before the connections close.
  app.addHook('preClose', () => receiver.stop());
  app.mirror.set('media', async (on, ids, userId) => presentFor(on, { userId }, await mediaByIds(on, ids.map(Number))));

  uploadRoutes(app, store, receiver);
  storedFileRoutes(app);
  // Forms are read here alone; elsewhere JSON is the one body type.
  void app.register(async (forms) => {
    await forms.register(multipart, { throwFileSizeLimit: false });
    mediaRoutes(forms, { store, receiver });
  });
}
