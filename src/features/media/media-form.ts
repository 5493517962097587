import type { MediaKind } from '#contract/media-kinds.ts';
import { toErrorMap, rowSchema } from '#contract/schema.ts';
import type { Field, Fields } from '#contract/section.ts';
import { youtubeId } from '#contract/youtube.ts';
import { fillRows } from '#lib/fill-rows.ts';
import type { RecordShape } from '#lib/record-shape.ts';
import type { Checked } from '#shared/forms/FormSheet.tsx';
import { toRow, type FormValues } from '#shared/forms/form-values.ts';

/** Where the sheet for videos keeps its links, one per line. */
export const LINKS = 'youtube_urls';

const thisYear = () => new Date().getFullYear();

/** The words of a medium as typed, checked as the server checks them. */
export function checkFields(shape: RecordShape, values: FormValues): Checked {
  const checked = rowSchema(shape, thisYear).safeParse(toRow(shape, values));
  return checked.success ? { row: checked.data } : { errors: toErrorMap(checked.error.issues) };
}

/** The fields that all files of a sheet share; each file has a name of its own. */
export function sharedFields({ name: _name, ...shared }: Fields): Fields {
  return shared;
}

export interface LinkLines {
  /** Each video once. */
  links: string[];
  /** Names every line that plays none, null where all do. */
  error: string | null;
}

/** The lines of the links field; empty ones do not count. */
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

/** Longer than half a sheet on a phone. */
const LONG_PLACEHOLDER = 20;
const LONG_TEXT = 200;

function isWide(field: Field): boolean {
  if (field.kind === 'yearMonth') return true;
  const { placeholder = '' } = field;
  return placeholder.length > LONG_PLACEHOLDER || (field.kind === 'text' && (field.multiline || field.max > LONG_TEXT));
}

/** The fields in order, and which take the whole width: long ones, and a short one without a neighbour. */
export function placedFields({ fields }: Pick<MediaKind, 'fields'>): { key: string; isWide: boolean }[] {
  const keys = Object.keys(fields);
  const wide = fillRows(keys.map((key) => isWide(fields[key]!)));
  return keys.map((key, at) => ({ key, isWide: wide[at]! }));
}
