import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import type { Uploads } from '#server/features/uploads/open.ts';
import { uploadRoutes } from '#server/features/uploads/routes.ts';
import { mediaRoutes } from './routes.ts';
import { findMediaByIds, presentMediaFor } from './store.ts';
import { storedFileRoutes } from './stored-files.ts';

/** All file routes: uploads, media, the avatar and stored files. */
export function fileRoutes(app: FastifyInstance, uploads: Uploads): void {
  app.mirror.set('media', async (on, ids, userId) =>
    presentMediaFor(on, { userId }, await findMediaByIds(on, ids.map(Number))),
  );

  uploadRoutes(app, uploads);
  storedFileRoutes(app);
  // Only these routes accept multipart forms; all others accept JSON only.
  void app.register(async (forms) => {
    await forms.register(multipart, { throwFileSizeLimit: false });
    mediaRoutes(forms, uploads);
  });
}
