import { getMediaKindOfRecord } from '#contract/media-kinds.ts';
import { link, type AnyRow, type CrossRule, type Fields } from '#contract/section.ts';
import { youtubeId } from '#contract/youtube.ts';

/** The fields of a record and the rules between them, for forms, comparisons and copied text. */
export interface RecordShape {
  fields: Fields;
  rules: readonly CrossRule<AnyRow>[];
}

const YOUTUBE = { youtube_url: link('YouTube link', { missing: 'Add the link' }) };
const playsVideo: CrossRule<AnyRow> = {
  field: 'youtube_url',
  dependsOn: ['youtube_url'],
  check: (row) => (youtubeId(String(row.youtube_url)) === null ? 'This is not a YouTube link' : null),
};

/** The fields of a medium, in the order of its form. A YouTube video has its link among them until it is sent. */
export function getMediumShape(body: AnyRow): RecordShape | undefined {
  const kind = getMediaKindOfRecord(body.media_type);
  if (kind === undefined) return undefined;
  if (typeof body.youtube_url !== 'string') return { fields: kind.fields, rules: [] };
  return { fields: { ...YOUTUBE, ...kind.fields }, rules: [playsVideo] };
}
