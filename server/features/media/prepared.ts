import type { MediaKind } from '#contract/media-kinds.ts';
import type { StoredNewFile, StoredNewMedia } from './file-store.ts';

export type Metadata = { key: string; value: string }[];

/** A submission as it was checked: what it is of, and its fields. */
export interface Submission {
  kind: MediaKind;
  profileId: string;
  clientId: string | null;
  uploadIds: readonly string[];
  youtubeId: string | null;
  name: string;
  /** By field, in the form's order and with names in place of ids; what was left empty is not there. */
  metadata: Metadata;
  durationSeconds: number | null;
  peaks: number[] | null;
}

/** What a transaction needs to add it: every file lies in the store. */
export interface PreparedSubmission {
  submission: Submission;
  items: StoredNewMedia[];
  poster: StoredNewFile[];
}
