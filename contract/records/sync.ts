import * as z from 'zod/mini';

/** A record of the caller's mirror, as GET /sync sends it. A null `body` means deleted; deletions are sent for 180 days. */
export const syncRecord = z.object({
  type: z.string(),
  id: z.string(),
  parent: z.nullable(z.string()),
  body: z.nullable(z.record(z.string(), z.unknown())),
});
export type SyncRecord = z.infer<typeof syncRecord>;

export const syncPage = z.object({ records: z.array(syncRecord), cursor: z.string(), has_more: z.boolean() });
export type SyncPage = z.infer<typeof syncPage>;

/** GET /config: the extensions to the basic API that this server supports. */
export const serverConfig = z.object({
  /**
   * Where to connect for live updates. `host`, `port` and `tls` are null when the server itself provides them; only `host` is null
   * when the cluster determines it.
   */
  pusher: z.nullable(
    z.object({
      key: z.string(),
      cluster: z.string(),
      host: z.nullable(z.string()),
      port: z.nullable(z.int()),
      tls: z.nullable(z.boolean()),
      /** Whether the channel `private-changes.{userId}` has one event for each write that concerns the user. */
      changes_channel: z.optional(z.boolean()),
    }),
  ),
  limits: z.object({
    /** What a file of any kind may have. Apps from before `max_mb` take it for the limit of every kind. */
    max_upload_mb: z.number(),
    /** Storage quota per person. */
    max_storage_mb: z.number(),
    /** By `media_type`: the maximum number of files in one submission, their file extensions, and the maximum size of each. */
    media: z.record(z.string(), z.object({ most: z.int(), endings: z.array(z.string()), max_mb: z.number() })),
  }),
  features: z.object({
    idempotency_keys: z.boolean(),
    versions: z.boolean(),
    client_ids: z.boolean(),
    uploads: z.boolean(),
    sync: z.boolean(),
  }),
  /** Large files. `direct`: videos can be sent to the operator's bucket without passing this server. */
  uploads: z.optional(z.object({ direct: z.boolean(), part_bytes: z.int() })),
});
export type ServerConfig = z.infer<typeof serverConfig>;
