import { CALLS } from '#contract/calls.ts';
import { MEDIA_KINDS, type MediaKind } from '#contract/media-kinds.ts';
import type { MediaType } from '#contract/media-types.ts';
import { call } from '#net/client.ts';
import { megabytes, formatFileTypes } from '#lib/file-types-text.ts';
import { validateFile } from '#shared/picked-files/picked-files.ts';

/** A file in the list of the gallery page. */
export interface GalleryFile {
  /** Stable key of its row. */
  key: string;
  name: string;
  type: string;
  /** Bytes. */
  size: number;
  /** Derived from type and extension; undefined if no kind accepts the file. */
  kind: MediaKind | undefined;
  picture?: Blob | ArrayBuffer | undefined;
  /** Id of the stored file; undefined while it is being copied, and if it cannot be sent. */
  mediaId?: string;
  /** Why it could not be stored. */
  problem?: string;
}

/** The first message of each invalid file, by its label: 'File 1', 'File 2' …. */
export type FileErrors = Readonly<Record<string, string>>;

export const getFileLabel = (index: number): string => `File ${index + 1}`;

export function toGalleryFile(file: { name: string; type: string; size: number }): GalleryFile {
  const { name, type, size } = file;
  const kind = MEDIA_KINDS.find((each) => validateFile(each, file, Infinity).state !== 'wrongtype');
  return { key: crypto.randomUUID(), name, type, size, kind };
}

type Limits = Readonly<Record<MediaType, number>>;

/** Why a file cannot be sent, as far as this device can tell; null if it can. */
export function getFileProblem({ kind, size, problem }: GalleryFile, limits: Limits): string | null {
  if (kind === undefined) {
    return `Only ${formatFileTypes({ types: Object.assign({}, ...MEDIA_KINDS.map(({ types }) => types)) })} files`;
  }
  if (size === 0) return 'This file is empty';
  if (size > limits[kind.key]) return `Max ${megabytes(limits[kind.key])} MB files are allowed`;
  return problem ?? null;
}

/**
 * Validates files as far as this device can.
 * @param limits maximum bytes of one file, by kind
 */
export function validateFiles(picked: readonly GalleryFile[], limits: Limits): FileErrors {
  const errors: Record<string, string> = {};
  const counts = new Map<MediaKind, number>();
  for (const [index, file] of picked.entries()) {
    const { kind } = file;
    const count = kind ? (counts.get(kind) ?? 0) + 1 : 0;
    if (kind) counts.set(kind, count);
    const tooMany = kind && count > kind.maxFiles ? `${kind.maxFiles} ${kind.plural} at a time` : null;
    const found = getFileProblem(file, limits) ?? tooMany;
    if (found !== null) errors[getFileLabel(index)] = found;
  }
  return errors;
}

/**
 * Asks the server to validate files by name, size and type, before any upload. Returns no errors if the server does not
 * answer: a later refusal is then shown like any other.
 */
export async function validateOnServer(picked: readonly GalleryFile[]): Promise<FileErrors> {
  if (picked.length === 0) return {};
  const files = picked.map(({ name, size, type }) => ({ name, size, type }));
  const answer = await call(CALLS.validateMedia, { body: { files } });
  if (answer.ok || answer.error.reason !== 'invalid' || !answer.error.errors) return {};
  return Object.fromEntries(
    Object.entries(answer.error.errors).flatMap(([label, [first]]) => (first === undefined ? [] : [[label, first]])),
  );
}
