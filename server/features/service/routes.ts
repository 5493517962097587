import type { FastifyInstance } from 'fastify';
import { CALLS } from '#contract/calls.ts';
import { MEDIA_KINDS } from '#contract/media-kinds.ts';
import { DIRECT_UPLOADS } from '#contract/direct-uploads.ts';
import { serverConfig, type ServerConfig } from '#contract/records/sync.ts';
import { ok } from '#server/platform/http/response.ts';
import { publicAccess, readRoute } from '#server/platform/http/route.ts';
import { messageOnly } from '#server/platform/http/schemas.ts';
import { healthRoutes } from './health.ts';

const MB = 1024 * 1024;

/** Configuration and test endpoints. */
export function serviceRoutes(app: FastifyInstance): void {
  healthRoutes(app);

  readRoute(app, {
    endpoint: CALLS.config,
    summary: 'What this server offers',
    access: publicAccess(),
    responses: { 200: serverConfig },
    handler: async () => {
      const { live, config, storage } = app.deps;
      const { maxFileBytes, maxStorageBytes } = config;
      const offers: ServerConfig = {
        pusher: { ...live.address, changes_channel: true },
        limits: {
          max_upload_mb: Math.min(...Object.values(maxFileBytes)) / MB,
          max_storage_mb: maxStorageBytes / MB,
          media: Object.fromEntries(
            MEDIA_KINDS.map(({ key, maxFiles: most, types }) => [
              key,
              { most, endings: Object.values(types).flat(), max_mb: maxFileBytes[key] / MB },
            ]),
          ),
        },
        features: { idempotency_keys: true, versions: true, client_ids: true, uploads: true, sync: true },
        uploads: { direct: storage.quarantine !== undefined, part_bytes: DIRECT_UPLOADS.partBytes },
      };
      return ok(offers);
    },
  });

  readRoute(app, {
    endpoint: CALLS.test,
    summary: 'Says hello, for the demo page',
    access: publicAccess(),
    responses: { 200: messageOnly },
    handler: async () => ok({ message: 'Callboard is up and running' }),
  });
}
