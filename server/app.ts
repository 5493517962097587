import { randomUUID } from 'node:crypto';
import path from 'node:path';
import Fastify, { LogController, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Deps, ServerOptions } from './platform/deps.ts';
import { accountRoutes } from './features/account/routes.ts';
import { auditionRoutes } from './features/auditions/routes.ts';
import { availabilityRoutes } from './features/availability/routes.ts';
import { castingRoutes } from './features/casting/routes.ts';
import { deskRoutes } from './features/desk/routes.ts';
import { chatRoutes } from './features/chat/routes.ts';
import { liveRoutes } from './features/live/routes.ts';
import { insightRoutes } from './read-models/insights/routes.ts';
import { lookupRoutes } from './features/lookups/routes.ts';
import { fileRoutes } from './features/media/files.ts';
import { mailRoutes } from './features/mail/routes.ts';
import { openInspector } from './features/media/inspect/inspector.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { pushRoutes } from './features/push/routes.ts';
import { connectionRoutes } from './features/people/connections.ts';
import { connectionListRoutes } from './features/people/lists.ts';
import { reportRoutes } from './features/people/reports.ts';
import { savedRoutes } from './features/people/saved.ts';
import { suggestionRoutes } from './read-models/suggestions/routes.ts';
import { buildProfileHead } from './features/profile/page-head.ts';
import { pageRoutes } from './features/pages/routes.ts';
import { profileRoutes } from './features/profile/routes.ts';
import { searchRoutes } from './read-models/search/routes.ts';
import { sectionRoutes } from './features/sections/routes.ts';
import { serviceRoutes } from './features/service/routes.ts';
import { syncRoutes } from './read-models/sync/routes.ts';
import { getWatchHead, watchRoutes } from './features/watch/routes.ts';
import { openUploads } from './features/uploads/open.ts';
import { Health } from './platform/health/health.ts';
import { RateLimiter } from './platform/http/rate-limiter.ts';
import { SharedLimiter } from './platform/http/shared-limiter.ts';
import { getSigningSecret } from './platform/db/signing-secret.ts';
import { describeApi } from './platform/http/openapi.ts';
import { serveHttpApi } from './platform/live/http-api.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import { recordRequests } from './platform/plugins/request-log.ts';
import { openLive } from './platform/live/open.ts';
import { getClientAddress, isAllowedOrigin } from './platform/live/web.ts';
import { projectRoot } from './platform/paths.ts';
import { diskFloor } from './platform/storage/disk-floor.ts';
import { serveApp } from './platform/plugins/app-shell.ts';
import { compressResponses } from './platform/plugins/compress.ts';
import { capConnections } from './platform/plugins/connection-cap.ts';
import { allowOrigins } from './platform/plugins/cross-origin.ts';
import { drainWhenClosing } from './platform/plugins/draining.ts';
import { handleErrors } from './platform/plugins/errors.ts';
import { addEtags } from './platform/plugins/etags.ts';
import { readJsonBodies } from './platform/plugins/json-body.ts';
import { closeSlowBodies } from './platform/plugins/slow-clients.ts';
import { setSecurityHeaders } from './platform/plugins/security-headers.ts';
import { refuseAddress } from './platform/plugins/unreadable-address.ts';
import { guardForms } from './platform/plugins/xsrf.ts';

/** Enough for the id of a passkey. */
const MAX_PARAM_LENGTH = 1400;
const MAX_BODY_BYTES = 1024 * 1024;
/** A connection whose headers have not arrived after this time is closed. */
const HEADERS_TIMEOUT_MS = 20_000;
const CHECK_INTERVAL_MS = 5_000;
const MAX_REQUEST_MS = 60 * 60_000;
/** No bytes in either direction: the client does not read its response, or is gone. */
const IDLE_CONNECTION_MS = 120_000;

/** Builds the whole server without listening; the same in production and in tests. */
export async function buildApp(parts: ServerOptions): Promise<FastifyInstance> {
  const { config } = parts;
  const app = Fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trustProxy,
    genReqId: () => randomUUID(),
    // Uploads over a slow network take long. closeSlowBodies closes the connections of stalled bodies.
    requestTimeout: MAX_REQUEST_MS,
    // Fastify's own 503 lacks the error envelope and Retry-After. drainWhenClosing sends both.
    return503OnClosing: false,
    connectionTimeout: IDLE_CONNECTION_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CHECK_INTERVAL_MS },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    frameworkErrors: (error, request, reply: Pick<FastifyReply, 'raw'>) =>
      refuseAddress(error, request, reply, config.trustProxy),
  });
  const live = await openLive({
    ...parts,
    log: app.log,
    server: app.server,
    isAllowed: (origin, request) => isAllowedOrigin(origin, request, config),
    addressOf: (request) => getClientAddress(request, config.trustProxy),
  });
  const inspector = openInspector({ log: app.log });
  app.addHook('onClose', () => inspector.close());
  const { metrics = createMetrics() } = parts;
  metrics.readers.sockets = () => live.hub?.size ?? 0;
  const onRefused = (limit: string) => metrics.limited.inc({ limit });
  const scale = config.rateLimitScale;
  const sharedLimiter = new SharedLimiter({
    connection: parts.connection,
    getSecret: () => getSigningSecret(parts.db),
    scale,
    log: app.log,
    onRefused,
  });
  app.addHook('onClose', () => sharedLimiter.close());
  const floor = diskFloor(parts);
  const storage = floor.guard(parts.storage);
  const health = new Health({ connection: parts.connection, storage, log: app.log });
  app.addHook('onClose', () => health.close());
  const deps: Deps = {
    ...parts,
    storage,
    metrics,
    limiter: new RateLimiter(parts.clock, scale, onRefused),
    sharedLimiter,
    health,
    live,
    inspector,
    floor,
  };
  app.decorate('deps', deps);
  // Registered first, because its timeout covers the whole shutdown.
  drainWhenClosing(app, health);
  // Before the server closes: an open socket would delay it.
  app.addHook('preClose', () => live.close());
  app.decorate('describedRoutes', []);
  app.decorate('mirror', new Map());
  app.decorateRequest('rawBody', null);
  app.decorateRequest('caller', null);
  app.decorateRequest('accountId', null);

  recordRequests(app, metrics);
  capConnections(app, config);
  closeSlowBodies(app);
  handleErrors(app);
  setSecurityHeaders(app, live.address, parts.storage.quarantine?.origin);
  allowOrigins(app, config.allowedOrigins);
  guardForms(app);
  readJsonBodies(app);
  addEtags(app);
  compressResponses(app);
  await serveApp(
    app,
    parts.appFolder ?? path.join(projectRoot, 'dist/app'),
    async (request, address) => getWatchHead(address) ?? buildProfileHead(deps, request, address),
  );

  await app.register(async (api) => {
    serviceRoutes(api);
    accountRoutes(api);
    mailRoutes(api);
    lookupRoutes(api);
    profileRoutes(api);
    pageRoutes(api);
    connectionRoutes(api);
    connectionListRoutes(api);
    reportRoutes(api);
    notificationRoutes(api);
    pushRoutes(api);
    suggestionRoutes(api);
    savedRoutes(api);
    const uploads = openUploads(api);
    chatRoutes(api, uploads);
    castingRoutes(api, uploads);
    auditionRoutes(api, uploads);
    watchRoutes(api);
    availabilityRoutes(api);
    deskRoutes(api);
    await api.register(liveRoutes);
    if (live.hub && config.pusher.api) {
      serveHttpApi(api, { ...live, hub: live.hub, appId: config.pusher.appId, clock: parts.clock });
    }
    sectionRoutes(api);
    fileRoutes(api, uploads);
    searchRoutes(api);
    insightRoutes(api);
    syncRoutes(api);
    describeApi(api);
  });
  return app;
}
