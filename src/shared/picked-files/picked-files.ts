import type { FileTypes, MediaKind } from '#contract/media-kinds.ts';
import { percent } from '#lib/amounts.ts';
import { megabytes, formatFileTypes } from '#lib/file-types-text.ts';

/** A file in the sheet, from the moment it is picked. */
export interface PickedFile {
  /** Stable key of its row. */
  key: string;
  name: string;
  /** The medium's title: the file's name unless the user changes it. */
  title: string;
  sizeBytes: number;
  /** storing: its bytes are being copied. stored: safe on this device. The other states need the user. */
  state: 'storing' | 'stored' | 'toobig' | 'wrongtype' | 'error';
  /** Bytes copied while storing. */
  storedBytes: number;
  /** Message for the state 'error'. */
  problem?: string;
  /** Whether the same file may be stored after all, once the user has made room for it. */
  canRetry?: boolean;
  /** Id of the stored file. */
  mediaId?: string;
  /** The thumbnail of the file; of a photo that is not being stored, the photo itself. */
  picture?: Blob | ArrayBuffer | undefined;
  /** The picked file, needed to make it smaller. */
  file?: File;
}

/** Whether a file name has an extension of these types. */
function hasKnownExtension(types: FileTypes, name: string): boolean {
  const lower = name.toLowerCase();
  return Object.values(types)
    .flat()
    .some((ending) => lower.endsWith(ending));
}

/**
 * Validates a picked file. Operating systems report types differently (audio/x-wav, or none), so the extension counts
 * as well. The server inspects the content.
 */
export function validateFile(
  { types }: Pick<MediaKind, 'types'>,
  file: { name: string; type: string; size: number },
  maxBytes: number,
): Pick<PickedFile, 'state' | 'problem'> {
  if (!(file.type in types) && !hasKnownExtension(types, file.name)) return { state: 'wrongtype' };
  if (file.size === 0) return { state: 'error', problem: 'This file is empty. Remove it' };
  return { state: file.size > maxBytes ? 'toobig' : 'storing' };
}

/** Whether a file will be saved, and so needs a title. */
export const isAccepted = ({ state }: Pick<PickedFile, 'state'>) => state === 'storing' || state === 'stored';

/** How many of the `offered` files still fit into one submission. */
export function capacityFor({ maxFiles }: Pick<MediaKind, 'maxFiles'>, taken: number, offered: number) {
  const accepted = Math.max(0, Math.min(offered, maxFiles - taken));
  return { accepted, rejected: offered - accepted };
}

/**
 * Whether the sheet can be saved: no file is still being copied. A file that needs the user does not block the others.
 */
export function canSave(files: readonly PickedFile[]): boolean {
  return !files.some((file) => file.state === 'storing');
}

/** Derives a title from a file name: drops the extension, and replaces underscores with spaces. */
export function toTitle(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replaceAll('_', ' ')
    .trim();
}

/** The `accept` attribute. Photos get no extensions: some phones would show folders instead of the gallery. */
export function getAcceptAttribute({ key, types }: Pick<MediaKind, 'key' | 'types'>): string {
  const endings: readonly string[] = key === 'image' ? [] : Object.values(types).flat();
  return [...Object.keys(types), ...endings].join(',');
}

interface FileContext {
  kind: Pick<MediaKind, 'key' | 'types'>;
  maxBytes: number;
  isOnline: boolean;
  /** phone, tablet or computer */
  device: string;
}

/** The state of a picked file as text, or what the user can do about it. */
export function getFileStatusText(file: PickedFile, { kind, maxBytes, isOnline, device }: FileContext): string {
  switch (file.state) {
    case 'storing':
      return `Storing on this ${device}, ${percent(file.storedBytes, file.sizeBytes)}%`;
    case 'stored':
      return isOnline ? `Safe on this ${device}` : `Safe on this ${device}. It will send when you’re back online.`;
    case 'toobig':
      return `Over ${megabytes(maxBytes)} MB. ${kind.key === 'image' ? 'Make it smaller or remove it' : 'Remove it'}`;
    case 'wrongtype':
      return `Not ${formatFileTypes(kind)}. Remove it`;
    case 'error':
      return file.problem ?? 'Choose it again or remove it';
  }
}
