import { fileTypeFromFile } from 'file-type';
import type { MediaType } from '#contract/media-types.ts';
import { inspectAudio } from './audio.ts';
import type { Range } from './range.ts';
import { inspectM4a, isSoundAlone } from './m4a.ts';
import { inspectDoc, inspectDocx } from './office.ts';
import { inspectPdf } from './pdf.ts';
import { FileRefused, isOurs } from './refused.ts';
import { inspectVideo } from './video.ts';

/** The facts about a valid file. */
export interface Inspected {
  extension: string;
  /** MIME type according to the content. */
  type: string;
  durationSeconds: number | null;
  width: number | null;
  height: number | null;
  /** Of a PDF; 0 if they cannot be counted. */
  pages: number | null;
  /** Metadata to blank, which is not part of what plays. */
  hidden: readonly Range[];
}

const NOTHING = { durationSeconds: null, width: null, height: null, pages: null, hidden: [] };

type Look = (file: string, present: readonly Range[] | null) => Promise<Partial<Inspected>>;
/** Kinds of media that this module inspects; photos are decoded elsewhere. */
export type InspectedKind = Exclude<MediaType, 'image'>;
interface Format {
  type: string;
  look: Look;
}

const checked =
  (inspect: (file: string) => Promise<void>): Look =>
  (file) =>
    inspect(file).then(() => ({}));

const M4A: Format = { type: 'audio/mp4', look: inspectM4a };
/** Inspectors by the type that the first bytes indicate, grouped by kind of media. */
const FORMATS: Record<InspectedKind, Record<string, Format>> = {
  video: {
    mp4: { type: 'video/mp4', look: (file, present) => inspectVideo(file, 'mp4', present) },
    m4v: { type: 'video/mp4', look: (file, present) => inspectVideo(file, 'mp4', present) },
    mov: { type: 'video/quicktime', look: (file, present) => inspectVideo(file, 'mov', present) },
    avi: { type: 'video/x-msvideo', look: (file, present) => inspectVideo(file, 'avi', present) },
    webm: { type: 'video/webm', look: (file, present) => inspectVideo(file, 'webm', present) },
  },
  audio: {
    mp3: { type: 'audio/mpeg', look: (file) => inspectAudio(file, 'mp3') },
    wav: { type: 'audio/wav', look: (file) => inspectAudio(file, 'wav') },
    aac: { type: 'audio/aac', look: (file) => inspectAudio(file, 'aac') },
    ogg: { type: 'audio/ogg', look: (file) => inspectAudio(file, 'ogg') },
    oga: { type: 'audio/ogg', look: (file) => inspectAudio(file, 'ogg') },
    opus: { type: 'audio/ogg', look: (file) => inspectAudio(file, 'ogg') },
    m4a: M4A,
    m4b: M4A,
    // Many recorders write audio into a plain MP4.
    mp4: M4A,
  },
  document: {
    pdf: { type: 'application/pdf', look: inspectPdf },
    doc: { type: 'application/msword', look: checked(inspectDoc) },
    cfb: { type: 'application/msword', look: checked(inspectDoc) },
    docx: {
      type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      look: checked(inspectDocx),
    },
  },
};
/** File extension in storage for content types with several names. */
const EXTENSIONS: Record<InspectedKind, Record<string, string>> = {
  video: { m4v: 'mp4' },
  audio: { oga: 'ogg', opus: 'ogg', m4b: 'm4a', mp4: 'm4a' },
  document: { cfb: 'doc' },
};

const ONLY = {
  video: 'Only .MP4, .AVI, .MOV and .WEBM videos',
  audio: 'Only .MP3, .M4A, .WAV, .AAC and .OGG recordings',
  document: 'Only .doc, .docx and .pdf documents',
};

/** Detects the type from the first bytes; undefined if unknown. */
const firstLook = (file: string) =>
  fileTypeFromFile(file).catch((error: unknown) => {
    if (isOurs(error)) throw error;
    return undefined;
  });

/**
 * Inspects a file of unknown content, regardless of its name. A hostile file can take long, so outside of tests this runs in a
 * worker thread (`inspector.ts`).
 * @param kind the kind that it was submitted as
 * @param present the parts of a video that are here, with its beginning among them; null: all
 * @throws FileRefused with a message for the user; RangeMissing if more of it is needed
 */
export async function inspect(
  file: string,
  kind: InspectedKind,
  present: readonly Range[] | null = null,
): Promise<Inspected> {
  const found = await firstLook(file);
  const format = found && FORMATS[kind][found.ext];
  if (!found || !format) throw new FileRefused(ONLY[kind]);
  const facts = await format.look(file, present);
  return { ...NOTHING, ...facts, extension: EXTENSIONS[kind][found.ext] ?? found.ext, type: format.type };
}

const PICTURES = new Set(['jpg', 'png']);

/** Returns the kind of media that a file may be, by its first bytes. Only a full inspection shows whether it is valid. */
export async function kindOfContent(file: string): Promise<MediaType | null> {
  const found = await firstLook(file);
  if (found === undefined) return null;
  if (PICTURES.has(found.ext)) return 'image';
  if (found.ext === 'mp4' && (await isSoundAlone(file))) return 'audio';
  const kinds = Object.keys(FORMATS) as InspectedKind[];
  return kinds.find((kind) => found.ext in FORMATS[kind]) ?? null;
}
