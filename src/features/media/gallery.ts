import { CALLS } from '#contract/calls.ts';
import { MEDIA_KINDS, type MediaKind } from '#contract/media-kinds.ts';
import type { MediaType } from '#contract/media-types.ts';
import { call } from '#net/client.ts';
import { megabytes, formatFileTypes } from '#lib/file-types-text.ts';
import { validateFile } from '#shared/picked-files/picked-files.ts';

/** A file of the gallery page before it is stored. */
export interface GalleryFile {
  /** Stable key of its row. */
  key: string;
  file: File;
  /** Derived from type and extension; undefined if no kind accepts the file. */
  kind: MediaKind | undefined;
}

/** The first message of each invalid file, by its label: 'File 1', 'File 2' …. */
export type FileErrors = Readonly<Record<string, string>>;

export const getFileLabel = (index: number): string => `File ${index + 1}`;

export function toGalleryFile(file: File): GalleryFile {
  const kind = MEDIA_KINDS.find((each) => validateFile(each, file, Infinity).state !== 'wrongtype');
  return { key: crypto.randomUUID(), file, kind };
}

/**
 * Validates files as far as this device can.
 * @param limits maximum bytes of one file, by kind
 */
export function validateFiles(picked: readonly GalleryFile[], limits: Readonly<Record<MediaType, number>>): FileErrors {
  const errors: Record<string, string> = {};
  const counts = new Map<MediaKind, number>();
  for (const [index, { file, kind }] of picked.entries()) {
    const addError = (text: string) => (errors[getFileLabel(index)] ??= text);
    if (kind === undefined) {
      addError(`Only ${formatFileTypes({ types: Object.assign({}, ...MEDIA_KINDS.map(({ types }) => types)) })} files`);
      continue;
    }
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (file.size === 0) addError('This file is empty');
    if (file.size > limits[kind.key]) addError(`Max ${megabytes(limits[kind.key])} MB files are allowed`);
    if (count > kind.maxFiles) addError(`${kind.maxFiles} ${kind.plural} at a time`);
  }
  return errors;
}

/**
 * Asks the server to validate files by name, size and type, before any upload. Returns no errors if the server does not
 * answer: a later refusal is then shown like any other.
 */
export async function validateOnServer(picked: readonly GalleryFile[]): Promise<FileErrors> {
  if (picked.length === 0) return {};
  const files = picked.map(({ file: { name, size, type } }) => ({ name, size, type }));
  const answer = await call(CALLS.validateMedia, { body: { files } });
  if (answer.ok || answer.error.reason !== 'invalid' || !answer.error.errors) return {};
  return Object.fromEntries(
    Object.entries(answer.error.errors).flatMap(([label, [first]]) => (first === undefined ? [] : [[label, first]])),
  );
}
