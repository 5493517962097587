import { MEDIA_KINDS } from '#contract/media-kinds.ts';
import { AddMediaSheet } from './AddMediaSheet.tsx';

/** The sheet for photos, with the words of all kinds in its chunk: no first screen needs them. */
export function AddPhotosSheet(props: { profileId: string; onClose: () => void }) {
  return <AddMediaSheet kind={MEDIA_KINDS[0]!} {...props} />;
}
