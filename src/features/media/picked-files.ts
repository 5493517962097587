import type { FileTypes, MediaKind } from '#contract/media-kinds.ts';
import { percent } from '#lib/amounts.ts';
import { megabytes, formatFileTypes } from '#lib/file-types-text.ts';

/** One file in the sheet, from the moment it is picked. */
export interface PickedFile {
  /** Names the row; never changes. */
  key: string;
  name: string;
  /** What it will be called; its file's name unless the person changes it. */
  title: string;
  sizeBytes: number;
  /** storing: its bytes are being copied. stored: safe on this device. The rest need the person. */
  state: 'storing' | 'stored' | 'toobig' | 'wrongtype' | 'trouble';
  /** Bytes copied while storing. */
  storedBytes: number;
  /** In words, where the state is trouble. */
  problem?: string;
  /** Of the stored file. */
  mediaId?: string;
  /** A photo as picked, or the small picture made of the file. */
  picture?: Blob | ArrayBuffer | undefined;
  /** What can still be made smaller. */
  file?: File;
}

/** Whether a name ends as files of these types do. */
function hasKnownExtension(types: FileTypes, name: string): boolean {
  const lower = name.toLowerCase();
  return Object.values(types)
    .flat()
    .some((ending) => lower.endsWith(ending));
}

/**
 * Whether a picked file can be taken as it is. Systems name types in their own ways (audio/x-wav, nothing at all), so the
 * ending counts as well; the server looks inside.
 */
export function validateFile(
  { types }: Pick<MediaKind, 'types'>,
  file: { name: string; type: string; size: number },
  maxBytes: number,
): Pick<PickedFile, 'state' | 'problem'> {
  if (!(file.type in types) && !hasKnownExtension(types, file.name)) return { state: 'wrongtype' };
  if (file.size === 0) return { state: 'trouble', problem: 'This file is empty. Remove it' };
  return { state: file.size > maxBytes ? 'toobig' : 'storing' };
}

/** Whether a file will be saved, and so needs a title. */
export const isAccepted = ({ state }: Pick<PickedFile, 'state'>) => state === 'storing' || state === 'stored';

/** How many of so many new files still fit into one submission. */
export function capacityFor({ maxFiles }: Pick<MediaKind, 'maxFiles'>, taken: number, offered: number) {
  const accepted = Math.max(0, Math.min(offered, maxFiles - taken));
  return { accepted, rejected: offered - accepted };
}

/** Nothing may be saved while a file is still being copied; one that needs the person holds up no other. */
export function canSave(files: readonly PickedFile[]): boolean {
  return !files.some((file) => file.state === 'storing');
}

/** A title from the name of a file: without its ending, underscores as spaces. */
export function toTitle(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replaceAll('_', ' ')
    .trim();
}

/** What the picker may offer. Of photos no endings: some phones would show folders in place of the pictures. */
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

/** Where a picked file is, or what the person can do about it. */
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
    case 'trouble':
      return file.problem ?? 'Choose it again or remove it';
  }
}
