import { MEDIA_KINDS } from '#contract/media-kinds.ts';
import { AddMediaSheet } from './AddMediaSheet.tsx';

interface AddSheetProps {
  /** Key of the tab: 'photos'. */
  tab: string;
  profileId: string;
  onClose: () => void;
}

/** The sheet of a media kind. The texts of all kinds are in its chunk, because the first screen does not need them. */
export function AddSheet({ tab, ...shared }: AddSheetProps) {
  const kind = MEDIA_KINDS.find((each) => each.tab === tab);
  return kind && <AddMediaSheet key={tab} kind={kind} {...shared} />;
}
