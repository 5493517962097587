import type { MediaKind } from '#contract/media-kinds.ts';
import { toErrorMap, rowSchema } from '#contract/schema.ts';
import type { Field, Fields } from '#contract/section.ts';
import { youtubeId } from '#contract/youtube.ts';
import { fillRows } from '#lib/fill-rows.ts';
import type { RecordShape } from '#lib/record-shape.ts';
import type { Checked } from '#shared/forms/FormSheet.tsx';
import { toRow, type FormValues } from '#shared/forms/form-values.ts';

/** Key of the field for YouTube links, one per line. */
export const LINKS = 'youtube_urls';

const thisYear = () => new Date().getFullYear();

/** Validates the typed details of a medium with the same rules as the server. */
export function checkFields(shape: RecordShape, values: FormValues): Checked {
  const checked = rowSchema(shape, thisYear).safeParse(toRow(shape, values));
  return checked.success ? { row: checked.data } : { errors: toErrorMap(checked.error.issues) };
}

/** The fields that all files of a sheet share: all except the name. */
export function sharedFields({ name: _name, ...shared }: Fields): Fields {
  return shared;
}

export interface LinkLines {
  /** One link per video, without duplicates. */
  links: string[];
  /** Lists the lines that are not YouTube links; null if there are none. */
  error: string | null;
}

/** Parses the links field; ignores empty lines. */
export function linkLines(text: string): LinkLines {
  const byVideo = new Map<string, string>();
  const errors: string[] = [];
  text.split('\n').forEach((line, at) => {
    const link = line.trim();
    const video = youtubeId(link);
    if (video !== null && !byVideo.has(video)) byVideo.set(video, link);
    if (link !== '' && video === null) errors.push(`Line ${at + 1} is not a YouTube link`);
  });
  return { links: [...byVideo.values()], error: errors.length > 0 ? errors.join('. ') : null };
}

/** A longer placeholder does not fit into half a sheet on a phone. */
const MAX_HALF_WIDTH_PLACEHOLDER = 20;
const MAX_HALF_WIDTH_TEXT = 200;

function isWide(field: Field): boolean {
  if (field.kind === 'yearMonth') return true;
  const { placeholder = '' } = field;
  return (
    placeholder.length > MAX_HALF_WIDTH_PLACEHOLDER ||
    (field.kind === 'text' && (field.multiline || field.max > MAX_HALF_WIDTH_TEXT))
  );
}

/** The fields in order, and which take the full width: long ones, and a short one without a neighbor. */
export function placedFields({ fields }: Pick<MediaKind, 'fields'>): { key: string; isWide: boolean }[] {
  const keys = Object.keys(fields);
  const wide = fillRows(keys.map((key) => isWide(fields[key]!)));
  return keys.map((key, at) => ({ key, isWide: wide[at]! }));
}
