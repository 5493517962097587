import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { ConfigError } from '#server/platform/config.ts';

export const FORMAT = 1;
const NAME = 'manifest.json';

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const count = z.int().check(z.nonnegative());
/** A table, sequence or type with its schema. It becomes the name of a file. */
const qualifiedName = z.string().check(z.regex(/^[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*$/));

const tableEntry = z.object({
  name: qualifiedName,
  columns: z.array(z.string()),
  rows: count,
  /** Size and digest of the uncompressed rows in the text format of COPY. */
  bytes: count,
  sha256,
});

const content = z.object({
  format: z.literal(FORMAT),
  made_at: z.iso.datetime(),
  release: z.string(),
  postgres: z.string(),
  /** Tells one Callboard from another: see `getInstallationId`. */
  installation: z.string(),
  epoch: z.string(),
  /** The migrations that the database had, oldest first. `at` is the time in their journal. */
  migrations: z.array(z.object({ at: count, hash: z.string() })),
  enums: z.array(z.object({ name: qualifiedName, values: z.array(z.string()) })),
  tables: z.array(tableEntry),
  sequences: z.array(z.object({ name: qualifiedName, value: z.string().check(z.regex(/^\d{1,19}$/)) })),
  jobs: z.object({ count, sha256 }),
  files: z.object({
    /** Whether the bytes are in this backup. Those of a bucket may stay there. */
    has_bytes: z.boolean(),
    count,
    bytes: count,
    /** Keys that a row refers to, but the store did not hold. */
    missing: z.array(z.string()),
    /** Of the list of files. */
    sha256,
  }),
});

export type Manifest = z.infer<typeof content>;
export type TableEntry = z.infer<typeof tableEntry>;

const digest = (manifest: unknown) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** The text of the manifest, with the digest of itself. */
export const writeManifest = (manifest: Manifest): string =>
  `${JSON.stringify({ ...manifest, sha256: digest(manifest) }, null, 2)}\n`;

export const getManifestPath = (folder: string): string => path.join(folder, NAME);

/** Reads a manifest and verifies its digest. @throws ConfigError that says what to do */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(getManifestPath(folder), 'utf8').catch(() => {
    throw new ConfigError(`${folder} is not a backup: it has no ${NAME}. Name the folder callboard-… of one backup`);
  });
  const damaged = new ConfigError(`${path.join(folder, NAME)} is damaged or was edited. Restore another backup`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw damaged;
  }
  const format = z.looseObject({ format: z.number() }).safeParse(parsed);
  if (!format.success) throw damaged;
  if (format.data.format > FORMAT) {
    throw new ConfigError(`The backup in ${folder} was made by a newer release. Restore it with that release`);
  }
  const { sha256: claimed, ...rest } = parsed as { sha256?: unknown };
  if (claimed !== digest(rest)) throw damaged;
  const checked = content.safeParse(rest);
  if (!checked.success) throw damaged;
  return checked.data;
}
