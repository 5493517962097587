import { normalizeText, toPhoneticKey, toWords } from '#contract/search-words.ts';
import type { IndexedCard, media, sectionRows } from '#server/platform/db/schema.ts';
import type { FullProfile } from '#server/features/profile/store.ts';
import { storagePath } from '#server/platform/storage/storage.ts';

type Media = Pick<typeof media.$inferSelect, 'mediaType' | 'metadata'>;
type Row = Pick<typeof sectionRows.$inferSelect, 'section' | 'body'>;

/** The public data of a profile that the index is built from. */
interface Source extends FullProfile {
  industry: string | null;
  rows: readonly Row[];
  media: readonly Media[];
  /** Language names by id. */
  languages: ReadonlyMap<string, string>;
}

/** What the index holds of a profile. */
export interface SearchDocument {
  tokens: string[];
  words: string[];
  places: string[];
  skills: string[];
  quality: number;
  height: number | null;
  card: IndexedCard;
}

/** Maximum words per document; further words are not indexed. */
const MAX_WORDS = 1500;
const MAX_LIST_ITEMS = 30;
/** Sections whose text is indexed, besides credits. */
const SPOKEN = ['skill', 'job_role', 'voice_characteristic'];
/** Sections that the index reads. The triggers in the migration list them too. */
export const SEARCHED_SECTIONS = ['experience', 'language', 'attribute', ...SPOKEN];

const firstText = (value: unknown) => (typeof value === 'string' ? value : '');
const allWords = (texts: readonly (string | null)[]) => [
  ...new Set(texts.flatMap((text) => toWords(text ?? '')).slice(0, MAX_WORDS)),
];
const valuesOf = (files: readonly Media[], key: string) => [
  ...new Set(files.flatMap(({ metadata }) => metadata.filter((each) => each.key === key).map((each) => each.value))),
];

interface Skill {
  name: string;
  level: number;
}

/** One token per skill and level reached, so that a minimum level is an ordinary token lookup. */
const skillTokens = (skills: readonly Skill[]) =>
  skills.flatMap(({ name, level }) =>
    [1, 2, 3].filter((least) => least <= level).map((n) => `s${n}:${normalizeText(name)}`),
  );

/** Quality score that ranks fuller profiles first among equal matches. */
function computeQuality(card: IndexedCard, { profile, rows }: Source): number {
  const { facts } = card;
  const credits = rows.filter(({ section }) => section === 'experience').length;
  return (
    (card.profile_photo ? 25 : 0) +
    (facts.has_reel ? 20 : 0) +
    Math.min(credits, 10) * 2 +
    (facts.skills.length > 0 ? 10 : 0) +
    (facts.min_age_range !== null ? 5 : 0) +
    (facts.height !== null ? 5 : 0) +
    (facts.languages.length > 0 ? 5 : 0) +
    (card.location ? 5 : 0) +
    (profile.description ? 5 : 0)
  );
}

function buildFacts({ profile, user, type, rows, media: files, languages }: Source, skills: Skill[]): IndexedCard {
  const attributes = new Map(
    rows
      .filter(({ section }) => section === 'attribute')
      .map(({ body }) => [firstText(body.attribute_key), firstText(body.attribute_value)]),
  );
  const spoken = rows.filter(({ section }) => section === 'language').map(({ body }) => String(body.language_id));
  const height = Number(attributes.get('Height') ?? NaN);
  return {
    id: String(profile.id),
    title: profile.title,
    stage_name: profile.stageName,
    location: profile.location,
    profile_type: { id: String(profile.profileTypeId), name: type.name, slug: type.slug },
    profile_photo: profile.photoKey === null ? null : storagePath(profile.photoKey),
    slug: user.slug,
    facts: {
      user_id: String(profile.userId),
      name: user.name,
      min_age_range: profile.minAge,
      max_age_range: profile.maxAge,
      profile_industry_id: profile.industryId === null ? null : String(profile.industryId),
      languages: spoken.flatMap((id) => {
        const name = languages.get(id);
        return name === undefined ? [] : [{ id, name }];
      }),
      skills: [...skills].sort((a, b) => b.level - a.level).slice(0, MAX_LIST_ITEMS),
      height: Number.isFinite(height) ? height : null,
      hair: attributes.get('Hair') ?? null,
      eyes: attributes.get('Eyes') ?? null,
      accents: valuesOf(files, 'language_accent').slice(0, MAX_LIST_ITEMS),
      voice_languages: valuesOf(files, 'media_language').slice(0, MAX_LIST_ITEMS),
      has_reel: files.some(({ mediaType }) => ['video', 'youtube', 'audio'].includes(mediaType)),
    },
  };
}

/** Builds the index document of a profile. It uses the same words as `src/lib/match-people.ts` on the device. */
export function buildSearchDocument(source: Source): SearchDocument {
  const { profile, type, user, industry, rows } = source;
  const skills = rows
    .filter(({ section }) => section === 'skill')
    .map(({ body }) => ({ name: firstText(body.name), level: Number(body.level) || 1 }));
  const card = buildFacts(source, skills);
  const { facts } = card;
  const names = allWords([profile.stageName, user.name]);
  const spoken = rows.filter(({ section }) => SPOKEN.includes(section)).map(({ body }) => firstText(body.name));
  const main = allWords([
    ...[profile.title, profile.location, type.name, industry],
    ...facts.languages.map(({ name }) => name),
    ...spoken,
  ]);
  const credits = allWords(
    rows
      .filter(({ section }) => section === 'experience')
      .flatMap(({ body }) => [
        firstText(body.experience_title),
        firstText(body.details),
        firstText(body.production_details),
      ]),
  );
  const places = allWords([profile.location]);
  const tokens = [
    ...names.flatMap((word) => [`n:${word}`, `z:${toPhoneticKey(word)}`]),
    ...main.map((word) => `m:${word}`),
    ...credits.map((word) => `x:${word}`),
    ...places.map((word) => `c:${word}`),
    ...skillTokens(skills),
    ...facts.languages.map(({ id }) => `l:${id}`),
    ...toWords(facts.hair ?? '').map((word) => `h:${word}`),
    ...toWords(facts.eyes ?? '').map((word) => `e:${word}`),
    ...valuesOf(source.media, 'language_accent').map((name) => `a:${normalizeText(name)}`),
    ...valuesOf(source.media, 'media_language').map((name) => `v:${normalizeText(name)}`),
    ...(facts.profile_industry_id === null ? [] : [`i:${facts.profile_industry_id}`]),
    ...(facts.has_reel ? ['r:'] : []),
    `t:${type.slug}`,
  ];
  return {
    tokens: [...new Set(tokens)],
    words: [...new Set([...names, ...main, ...credits])],
    places,
    skills: [...new Set(skills.map(({ name }) => normalizeText(name)).filter((name) => name !== ''))],
    quality: computeQuality(card, source),
    height: facts.height,
    card,
  };
}
