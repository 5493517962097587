/**
 * The kinds of media in a portfolio, as data: accepted files, texts and fields. Tabs, upload sheets, the queue, the server's
 * validation and the tests iterate over this one definition.
 */
import { LIMITS } from './limits.ts';
import { MEDIA_TABS, type MediaTab } from './media-tabs.ts';
import { MEDIA_LOOKUP_FIELDS, mediaListOf, type MediaList, type MediaType } from './media-types.ts';
import { longText, lookup, optional, text, yearMonth, type Fields } from './section.ts';

/** File extensions by MIME type, in the form a file picker expects. The server decides by content. */
export type FileTypes = Readonly<Record<string, readonly string[]>>;

/** The files and form fields of a kind. */
interface FileRules {
  /** Maximum number of files in one submission. */
  maxFiles: number;
  types: FileTypes;
  /** The accepted file types, as the upload sheet shows them. */
  typesText: string;
  fields: Fields;
}

export interface MediaKind extends MediaTab, Pick<MediaList, 'noun' | 'list'>, FileRules {}

const ENTER_WORDS = 'Enter comma-separated values';

const name = text('Name', 150, { missing: 'Enter a name' });
const keywords = optional(text('Keywords', 500, { missing: 'Add keywords', hint: ENTER_WORDS }));
const projectType = optional(
  lookup('Project type', MEDIA_LOOKUP_FIELDS.project_type, { missing: 'Choose the project type' }),
);
const category = (placeholder: string) => optional(text('Category', 100, { missing: 'Add a category', placeholder }));
const productionCompany = optional(text('Production company', 150, { missing: 'Add the production company' }));
const mediaLanguage = optional(
  lookup('Language', MEDIA_LOOKUP_FIELDS.media_language, { missing: 'Choose the language' }),
);
const monthYear = optional(yearMonth('Month and year', { missing: 'Choose the month and year' }));

const image: FileRules = {
  maxFiles: LIMITS.photosPerPick,
  types: { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] },
  typesText: 'Only support .JPG, .JPEG .PNG',
  fields: {
    name,
    project_type: projectType,
    category_type: category('Headshot, still, behind the scenes'),
    keywords,
  },
};

const video: FileRules = {
  maxFiles: 6,
  types: { 'video/mp4': ['.mp4'], 'video/x-msvideo': ['.avi'], 'video/quicktime': ['.mov'], 'video/webm': ['.webm'] },
  typesText: 'Only support .MP4, .AVI, .MOV, .WEBM and YouTube links',
  fields: {
    name,
    project_type: projectType,
    category_type: category('Showreel, scene, music video'),
    role: optional(text('Role', 150, { missing: 'Add the role' })),
    director: optional(text('Director', 150, { missing: 'Add the director' })),
    month_year: monthYear,
    production_company: productionCompany,
    media_language: mediaLanguage,
    keywords,
  },
};

const audio: FileRules = {
  maxFiles: 6,
  types: {
    'audio/mpeg': ['.mp3'],
    // Phones record voice memos as M4A; operating systems use three MIME types for it.
    'audio/mp4': ['.m4a'],
    'audio/x-m4a': [],
    'audio/m4a': [],
    'audio/wav': ['.wav'],
    'audio/aac': ['.aac'],
    'audio/ogg': ['.ogg'],
  },
  typesText: 'Only support .MP3, .M4A, .WAV, .AAC, .OGG',
  fields: {
    name,
    project_type: projectType,
    category_type: category('Commercial, narration, character'),
    media_language: mediaLanguage,
    language_accent: optional(lookup('Accent', MEDIA_LOOKUP_FIELDS.language_accent, { missing: 'Choose the accent' })),
    voice_type: optional(lookup('Voice type', MEDIA_LOOKUP_FIELDS.voice_type, { missing: 'Choose the voice type' })),
    voice_gender: optional(
      lookup('Voice gender', MEDIA_LOOKUP_FIELDS.voice_gender, { missing: 'Choose the voice gender' }),
    ),
    voice_age: optional(text('Voice age', 50, { missing: 'Add the voice age', placeholder: 'Young adult, 60s' })),
    voice_style: optional(
      text('Voice style', 100, { missing: 'Add the voice style', placeholder: 'Warm, dry, urgent' }),
    ),
    month_year: monthYear,
    production_company: productionCompany,
    description: optional(longText('Description', 500, { missing: 'Add a description' })),
    keywords,
  },
};

const document: FileRules = {
  maxFiles: 6,
  types: {
    'application/msword': ['.doc'],
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
    'application/pdf': ['.pdf'],
  },
  typesText: 'Only support .doc, .docx .pdf',
  fields: { name, project_type: projectType, category_type: category('CV, review, certificate'), keywords },
};

const FILE_RULES: Record<MediaType, FileRules> = { image, video, audio, document };

/** Every kind, in tab order. */
export const MEDIA_KINDS: readonly MediaKind[] = MEDIA_TABS.map((tab) => {
  const { noun, list } = mediaListOf(tab.key)!;
  return { ...tab, ...FILE_RULES[tab.key], noun, list };
});

/** Returns the kind whose form sends this `media_type`. */
export function getMediaKind(mediaType: unknown): MediaKind | undefined {
  return MEDIA_KINDS.find(({ key }) => key === mediaType);
}

/** Returns the kind that a file is by its MIME type, or by its extension if the type is unknown. Its content may be another. */
export function getMediaKindOfFile({ name, type }: { name: string; type: string }): MediaKind | undefined {
  const lower = name.toLowerCase();
  return (
    MEDIA_KINDS.find(({ types }) => Object.hasOwn(types, type)) ??
    MEDIA_KINDS.find(({ types }) => Object.values(types).some((endings) => endings.some((end) => lower.endsWith(end))))
  );
}

/** Returns the kind that a record with this `media_type` is listed under: a YouTube link is a video. */
export function getMediaKindOfRecord(mediaType: unknown): MediaKind | undefined {
  return getMediaKind(mediaListOf(mediaType)?.kind);
}
