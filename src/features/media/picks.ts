import { LIMITS, PHOTO_TYPES } from '#contract/limits.ts';

/** One file in the sheet, from the moment it is picked. */
export interface PickedFile {
  /** Names the row; never changes. */
  key: string;
  name: string;
  sizeBytes: number;
  /** storing: its bytes are being copied. stored: safe on this device. The rest need the person. */
  state: 'storing' | 'stored' | 'toobig' | 'wrongtype' | 'trouble';
  /** Bytes copied while storing. */
  storedBytes: number;
  /** In words, where the state is trouble. */
  problem?: string;
  /** Of the stored file. */
  mediaId?: string;
  /** The picture: the file as picked, or the thumbnail of one taken up again from an earlier sheet. */
  picture?: Blob | ArrayBuffer | undefined;
  /** What can still be made smaller. */
  file?: File;
}

/** Whether a picked file can be taken as it is. The server looks inside as well. */
export function judge(file: { type: string; size: number }): 'storing' | 'toobig' | 'wrongtype' {
  if (!(file.type in PHOTO_TYPES)) return 'wrongtype';
  return file.size > LIMITS.uploadBytes ? 'toobig' : 'storing';
}

/** How many of so many new files still fit into one submission. */
export function roomFor(taken: number, offered: number): { take: number; leave: number } {
  const take = Math.max(0, Math.min(offered, LIMITS.photosPerPick - taken));
  return { take, leave: offered - take };
}

/** Nothing may be saved while a file is still being copied; one that needs the person holds up no other. */
export function canSave(files: readonly PickedFile[]): boolean {
  return !files.some((file) => file.state === 'storing');
}

/** A name for the photos from the first file's: without its ending, underscores as spaces. */
export function nameFrom(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replaceAll('_', ' ')
    .trim();
}
