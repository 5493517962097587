import type { FileTypes, MediaKind } from '#contract/media-kinds.ts';
import type { Take } from '#db/rows.ts';
import type { NotConverted } from '#shared/takes/convert-video.ts';
import { percent } from '#lib/amounts.ts';
import { roughly } from '#lib/dates.ts';
import { megabytes, formatFileTypes } from '#lib/file-types-text.ts';
import { count } from '#lib/text.ts';

/** A file in the sheet, from the moment it is picked. */
export interface PickedFile {
  /** Stable key of its row. */
  key: string;
  name: string;
  /** The medium's title: the file's name unless the user changes it. */
  title: string;
  sizeBytes: number;
  /**
   * making: its MP4 is being made. storing: its bytes are being copied. stored: safe on this device. The other states need
   * the user.
   */
  state: 'making' | 'storing' | 'stored' | 'toobig' | 'wrongtype' | 'error';
  /** Bytes copied while storing. */
  storedBytes: number;
  /** Message for the state 'error'. */
  problem?: string;
  /** Whether the same file may be stored after all, once the user has made room for it. */
  canRetry?: boolean;
  /** It is tried again by itself as soon as there is signal. */
  needsSignal?: boolean;
  /** How far the MP4 is, in pictures. `secondsLeft`: once it can be estimated. */
  made?: { done: number; total: number; secondsLeft?: number };
  isPaused?: boolean;
  /** Why a video of the camera roll was not made smaller. */
  kept?: NotConverted;
  /** The video is what is sent: it was made smaller, need not be, or cannot be, or the person wants the original. */
  isSettled?: true;
  /** The take of the booth that it is made of, and which part of it. `isOriginal`: the recording itself is to be sent, all of it. */
  take?: { id: string; range: Take['range']; isOriginal?: boolean | undefined };
  /** No MP4 can be made here, but the recording itself can be sent. */
  canSendOriginal?: boolean;
  /** Id of the stored file. */
  mediaId?: string;
  /** MIME type of the stored file, as the operating system reported it. */
  type?: string;
  /** The thumbnail of the file; of a photo that is not being stored, the photo itself. */
  picture?: Blob | ArrayBuffer | undefined;
  /** The picked file, needed to make it smaller, or the smaller one made of it. */
  file?: File;
  /** The file as it was picked. */
  picked?: File;
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

/** A take of the booth in the list, before its MP4 is made. */
export const toPickedTake = (
  { id, name, bytes, range }: Pick<Take, 'id' | 'name' | 'bytes' | 'range'>,
  key: string,
): PickedFile & { take: NonNullable<PickedFile['take']> } => ({
  key,
  name,
  title: name,
  sizeBytes: bytes,
  state: 'making',
  storedBytes: 0,
  take: { id, range },
});

/** How a draft names a file: by its stored bytes, or by the take that they are made of. Null: there is nothing to come back to. */
export function getDraftId({ state, mediaId, take }: Pick<PickedFile, 'state' | 'mediaId' | 'take'>): string | null {
  // While a smaller copy is being made, the original is there.
  if ((state === 'stored' || state === 'making') && mediaId) return mediaId;
  return take ? `take:${take.id}` : null;
}

/**
 * What the question before closing a sheet says of its files. Closing ends a copy.
 * @param kept what it says if all of them can be found again
 */
export function getKeepText(files: readonly PickedFile[], kept: string): string {
  const lost = files.filter((file) => getDraftId(file) === null).length;
  if (lost === 0) return kept;
  const them = lost === 1 ? 'it' : 'them';
  return `${count(lost, 'file')} ${lost === 1 ? 'is' : 'are'} not stored yet. If you close this now, choose ${them} again later.`;
}

/** Whether a file will be saved, and so needs a title. */
export const isAccepted = ({ state }: Pick<PickedFile, 'state'>) =>
  state === 'making' || state === 'storing' || state === 'stored';

/** Whether an accepted file can be made of one that is too big or of another type. */
export const canShrink = ({ key }: Pick<MediaKind, 'key'>, { state, file }: Pick<PickedFile, 'state' | 'file'>) =>
  key === 'image' &&
  file !== undefined &&
  (state === 'toobig' || (state === 'wrongtype' && file.type.startsWith('image/')));

/** Whether the place where a file was picked may forget it: it is stored on this device, or never will be. */
function isTaken(kind: Pick<MediaKind, 'key'>, file: PickedFile): boolean {
  switch (file.state) {
    case 'making':
    case 'storing':
    case 'stored':
      return file.mediaId !== undefined;
    case 'toobig':
    case 'wrongtype':
      return !canShrink(kind, file);
    case 'error':
      return file.canRetry !== true;
  }
}

/**
 * Those of the given files that are stored on this device or will never be.
 * @param given files that were added to the list. The person has removed those that it does not have.
 */
export const listTaken = (kind: Pick<MediaKind, 'key'>, given: readonly File[], files: readonly PickedFile[]): File[] =>
  given.filter((each) => files.every((file) => file.picked !== each || isTaken(kind, file)));

/** How many of the `offered` files still fit into one submission. */
export function capacityFor({ maxFiles }: Pick<MediaKind, 'maxFiles'>, taken: number, offered: number) {
  const accepted = Math.max(0, Math.min(offered, maxFiles - taken));
  return { accepted, rejected: offered - accepted };
}

/**
 * Whether the sheet can be saved: no file is still being copied. A file that needs the user does not block the others.
 */
export function canSave(files: readonly PickedFile[]): boolean {
  return !files.some(({ state }) => state === 'making' || state === 'storing');
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
    case 'making':
      return getMakingText(file);
    case 'storing':
      return `Storing on this ${device}, ${percent(file.storedBytes, file.sizeBytes)}%`;
    case 'stored':
      return [
        `Safe on this ${device}.`,
        file.kept && getKeptText(file.kept, device),
        !isOnline && 'It will send when you’re back online.',
      ]
        .filter(Boolean)
        .join(' ')
        .replace(/^([^.]*)\.$/, '$1');
    case 'toobig':
      if (file.kept)
        return `Over ${megabytes(maxBytes)} MB, and this ${device} can’t make it smaller. Open this on a computer`;
      return `Over ${megabytes(maxBytes)} MB. ${kind.key === 'image' ? 'Make it smaller or remove it' : 'Remove it'}`;
    case 'wrongtype':
      return `Not ${formatFileTypes(kind)}. Remove it`;
    case 'error':
      return file.problem ?? 'Choose it again or remove it';
  }
}

/** 'Making it smaller, 43%, about 2 min left' */
function getMakingText({ made, take, isPaused }: PickedFile): string {
  if (!made) return take ? 'Waiting to make the MP4' : 'Checking the video';
  const done = `${percent(made.done, made.total)}%`;
  if (isPaused) return `Paused at ${done}`;
  const left = made.secondsLeft === undefined ? '' : `, ${roughly(made.secondsLeft)} left`;
  return `${take ? 'Making the MP4' : 'Making it smaller'}, ${done}${left}`;
}

/** Why a video is sent as it is; '' if nothing could be gained. */
function getKeptText(reason: NotConverted, device: string): string {
  switch (reason) {
    case 'small':
      return '';
    case 'long':
      return 'It is longer than 20 minutes, so the original is sent.';
    case 'no picture':
      return 'It has no picture.';
    case 'full':
      return `There is no room on this ${device} for a smaller copy, so the original is sent.`;
    case 'not loaded':
      return 'Go online once to make videos smaller here. For now, the original is sent.';
    case 'memory':
    case 'unsupported':
    case 'unproven':
    case 'failed':
      return `This ${device} can’t make it smaller, so the original is sent.`;
  }
}
