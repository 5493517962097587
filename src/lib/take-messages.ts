/** What a page and its dedicated workers for takes say to each other. */
import type { TakeLength } from './take-log.ts';

/** Why something could not be written: no room, or anything else. */
export type WriteFailure = 'full' | 'failed';

export type WriterRequest =
  /** Writes and reads one kilobyte, because some browsers offer the file system and then fail. */
  | { type: 'probe' }
  /** Creates the files of a take. @param raw name of the recording's file */
  | { type: 'open'; path: string[]; raw: string }
  | { type: 'append'; bytes: ArrayBuffer; endMs: number }
  | { type: 'close' }
  /** Cuts an interrupted take back to its last whole slice. */
  | { type: 'recover'; path: string[]; raw: string };

/** The answer to the request with the same number; `length` for 'append' and 'recover'. */
export type WriterAnswer =
  { n: number; ok: true; length: TakeLength | null } | { n: number; ok: false; reason: WriteFailure; message: string };

/** A part of a take in seconds. */
export interface TimeRange {
  from: number;
  to: number;
}

/** Loads everything that a later job may need, so that it also works without a connection. */
export interface PrepareRequest {
  type: 'prepare';
}

export interface FinishRequest {
  type: 'finish';
  file: Blob;
  /** The part to keep; null for all of it. */
  range: TimeRange | null;
  /** The folder that the copy is written to; null where there is none, and the copy is made in memory. */
  path: string[] | null;
}

/** Makes a video of the camera roll small enough to send, if it is not. */
export interface ConvertRequest {
  type: 'convert';
  file: Blob;
  /** The folder that the copy is written to, which is created; null where there is none, and the copy is made in memory. */
  path: string[] | null;
  /** Longer videos are left as they are. */
  maxSeconds: number;
  /** Whether pictures of more than 1280×720 may be decoded here. */
  canEncodeLarge: boolean;
}

/** Holds a running conversion, or lets it go on. */
export interface PauseRequest {
  type: 'pause';
  isPaused: boolean;
}

export type FinisherRequest = PrepareRequest | FinishRequest | ConvertRequest | PauseRequest;

/**
 * Why a video is left as it is. small: it is H.264 and AAC already, small, and its index is in front. long: longer than `maxSeconds`.
 * memory: its pictures are too large for this device.
 */
export type KeptReason = 'small' | 'long' | 'memory';

/** A proven copy: opened again, both tracks present, first and last picture decoded. */
export interface FinishedCopy {
  /** SHA-256 of the whole file, lower-case hex. */
  sha256: string;
  /** Bytes. */
  size: number;
  /** Seconds. */
  duration: number;
}

export type FinishMessage =
  | { type: 'prepared' }
  | { type: 'progress'; done: number; total: number }
  | { type: 'finished'; copy: FinishedCopy; bytes: ArrayBuffer | null }
  | { type: 'kept'; reason: KeptReason }
  | { type: 'failed'; reason: FinishFailure; message: string };

/**
 * no picture: the recording has none. unsupported: this browser cannot copy or make what an MP4 needs. full: no room.
 * not loaded: code that is needed could not be fetched. unproven: the copy was made but is not what it should be.
 */
export type FinishFailure = 'no picture' | 'unsupported' | 'full' | 'not loaded' | 'unproven' | 'failed';
