import * as z from 'zod/mini';

/** One row of the caller's own mirror as GET /sync sends it; `body` null: deleted (its parent stays known 180 days). */
export const syncRecord = z.object({
  type: z.string(),
  id: z.string(),
  parent: z.nullable(z.string()),
  body: z.nullable(z.record(z.string(), z.unknown())),
});
export type SyncRecord = z.infer<typeof syncRecord>;

export const syncPage = z.object({ records: z.array(syncRecord), cursor: z.string(), has_more: z.boolean() });
export type SyncPage = z.infer<typeof syncPage>;

/** GET /config: what this server offers beyond the bare specification, so the app need not guess. */
export const serverConfig = z.object({
  /** Where live updates come from. Host, port and tls are null where they come from the server's own address; `host` alone where the cluster says it. */
  pusher: z.nullable(
    z.object({
      key: z.string(),
      cluster: z.string(),
      host: z.nullable(z.string()),
      port: z.nullable(z.int()),
      tls: z.nullable(z.boolean()),
    }),
  ),
  limits: z.object({
    max_upload_mb: z.number(),
    /** What the files of one person may take up. */
    max_storage_mb: z.number(),
    /** By `media_type`: files of one submission, and how they may be called. */
    media: z.record(z.string(), z.object({ most: z.int(), endings: z.array(z.string()) })),
  }),
  features: z.object({
    idempotency_keys: z.boolean(),
    versions: z.boolean(),
    client_ids: z.boolean(),
    uploads: z.boolean(),
    sync: z.boolean(),
  }),
});
export type ServerConfig = z.infer<typeof serverConfig>;
