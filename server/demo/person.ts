import type { AnyRow } from '#contract/section.ts';
import type { Hum } from './recording.ts';

/** Features of a drawn face. */
export interface Face {
  hair: 'bun' | 'long' | 'bob' | 'short' | 'curly' | 'bald';
  hasBeard: boolean;
  hasGlasses: boolean;
  /** Any whole number; colours and light follow from it. */
  seed: number;
}

/** File name of a face in `faces/`. `npm run icons` renders the files; the server does not draw. */
export const faceName = ({ hair, hasBeard, hasGlasses, seed }: Face): string =>
  [hair, hasBeard && 'beard', hasGlasses && 'glasses', seed].filter(Boolean).join('-');

/** A media item, generated from a drawing, a face, a hum or lines of text. */
export interface DemoMedia {
  kind: 'image' | 'video' | 'audio' | 'document';
  name: string;
  /** Of its form, as text. */
  fields?: Record<string, string>;
  /** Name of the language it is in. */
  language?: string;
  /** A picture in `photos/` or a film in `videos/`, by name. */
  drawing?: string;
  face?: Face;
  hum?: Hum;
  /** Of a document. */
  lines?: readonly string[];
}

export interface DemoProfile {
  /** Slug of its type. */
  type: string;
  stage_name: string;
  title: string;
  location: string;
  /** Name of its industry. */
  industry: string;
  per_day: number;
  dob?: string;
  min_age_range?: number;
  max_age_range?: number;
  /** A drawing in `portraits/`, by name. */
  portrait?: string;
  /** The portrait where there is no drawing of it. */
  face?: Face;
  /** The first on top. */
  media?: DemoMedia[];
  /** What is added once the server listens, the first on top. */
  laterMedia?: DemoMedia[];
  description: string;
  /** Rows by section. Languages are named: `{ languages: ['Hindi'] }`. */
  sections: Record<string, AnyRow[]>;
  /** A list that is not named in `sections` gets its example row. */
  hasExamples?: boolean;
}

export interface DemoPerson {
  name: string;
  email: string;
  /** The one the app opens with first. */
  profiles: DemoProfile[];
}
