import { CALLS } from '#contract/calls.ts';
import { MEDIA_KINDS, type MediaKind } from '#contract/media-kinds.ts';
import { call } from '#net/client.ts';
import { megabytes, formatFileTypes } from '#lib/file-types-text.ts';
import { validateFile } from './picked-files.ts';

/** A file of the gallery page before it is stored. */
export interface GalleryFile {
  /** Names its row; never changes. */
  key: string;
  file: File;
  /** Told by type and ending; undefined where no portfolio takes it. */
  kind: MediaKind | undefined;
}

/** First message by 'File 1', 'File 2' …, in their order. */
export type FileErrors = Readonly<Record<string, string>>;

export const getFileLabel = (index: number): string => `File ${index + 1}`;

export function toGalleryFile(file: File): GalleryFile {
  const kind = MEDIA_KINDS.find((each) => validateFile(each, file, Infinity).state !== 'wrongtype');
  return { key: crypto.randomUUID(), file, kind };
}

/** What is wrong with files as far as this device can tell. @param maxBytes of one file */
export function validateFiles(picked: readonly GalleryFile[], maxBytes: number): FileErrors {
  const errors: Record<string, string> = {};
  const counts = new Map<MediaKind, number>();
  for (const [index, { file, kind }] of picked.entries()) {
    const say = (text: string) => (errors[getFileLabel(index)] ??= text);
    if (kind === undefined) {
      say(`Only ${formatFileTypes({ types: Object.assign({}, ...MEDIA_KINDS.map(({ types }) => types)) })} files`);
      continue;
    }
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (file.size === 0) say('This file is empty');
    if (file.size > maxBytes) say(`Max ${megabytes(maxBytes)} MB files are allowed`);
    if (count > kind.maxFiles) say(`${kind.maxFiles} ${kind.plural} at a time`);
  }
  return errors;
}

/**
 * What the server says is wrong with files before a byte of them leaves. Nothing where it cannot be asked: what this
 * device knows has to do then, and a refusal that comes later is the person's to settle like any other.
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
