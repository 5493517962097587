import type { MediaKind } from '#contract/media-kinds.ts';
import type { StoredNewFile, StoredNewMedia } from './file-store.ts';

export type Metadata = { key: string; value: string }[];

/** A validated submission. */
export interface Submission {
  kind: MediaKind;
  profileId: string;
  clientId: string | null;
  uploadIds: readonly string[];
  youtubeId: string | null;
  name: string;
  /** In form order, with names in place of lookup ids, without empty fields. */
  metadata: Metadata;
  durationSeconds: number | null;
  peaks: number[] | null;
}

/** What the transaction needs to insert a submission; all files are already stored. */
export interface PreparedSubmission {
  submission: Submission;
  items: StoredNewMedia[];
  poster: StoredNewFile[];
}
