import { getMediaKindOfFile } from '#contract/media-kinds.ts';
import type { Config } from '#server/platform/config.ts';
import { HttpError } from '#server/platform/http/errors.ts';

type Limits = Pick<Config, 'maxFileBytes'>;

/** Bytes of the largest file of any kind. */
export const getLargestFileBytes = ({ maxFileBytes }: Limits): number => Math.max(...Object.values(maxFileBytes));

/**
 * The most that a file may have, by the name and type that its sender gives. It may be of any kind if they do not tell; the request that
 * attaches it names the kind, and that limit holds in the end.
 */
export function getMaxBytesOf(config: Limits, file: { name: string; type: string }): number {
  const kind = file.type.startsWith('image/') ? 'image' : getMediaKindOfFile(file)?.key;
  return kind === undefined ? getLargestFileBytes(config) : config.maxFileBytes[kind];
}

/** Error message for a file that is too large. */
export const tooBigText = (maxBytes: number): string => `Max ${maxBytes / 1024 / 1024} MB files are allowed`;

/** @param field the field that the file was sent or named in */
export function fileTooBig(field: string, maxBytes: number): HttpError {
  const message = tooBigText(maxBytes);
  return new HttpError(413, { message, errors: { [field]: [message] } });
}
