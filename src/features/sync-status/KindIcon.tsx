import {
  Award,
  Bookmark,
  Clapperboard,
  FileText,
  Image as ImageIcon,
  UserPlus,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import type { OpKind } from '#db/rows.ts';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  experience: Clapperboard,
  skill: Award,
  media: ImageIcon,
  upload: ImageIcon,
  profile: UserRound,
  saved_profile: Bookmark,
  person: UserPlus,
};

/** What a change is about, as a picture beside its title. */
export function KindIcon({ type, kind }: { type: string; kind: OpKind }) {
  const Icon = kind === 'avatar' ? ImageIcon : (ICONS[type] ?? FileText);
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-base-200">
      <Icon className="ic" aria-hidden />
    </span>
  );
}
