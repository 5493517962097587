import {
  Award,
  Bell,
  Bookmark,
  Clapperboard,
  FileText,
  MessageCircle,
  Star,
  Image as ImageIcon,
  Video,
  UserMinus,
  UserPlus,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import { mediaListOf } from '#contract/media-types.ts';
import type { OpKind } from '#db/rows.ts';
import { KIND_ICONS } from '#session/kind-icons.ts';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  experience: Clapperboard,
  skill: Award,
  media: ImageIcon,
  upload: ImageIcon,
  profile: UserRound,
  saved_profile: Bookmark,
  person: UserPlus,
  connection: UserMinus,
  notification: Bell,
  message: MessageCircle,
  conversation: Star,
};

/** A credit has the clapperboard here. */
const MEDIA_ICONS = { ...KIND_ICONS, video: Video };

interface KindIconProps {
  type: string;
  kind: OpKind;
  /** Of a medium, where it is known. */
  mediaType?: string | undefined;
}

/** What a change is about, as a picture beside its title. */
export function KindIcon({ type, kind, mediaType }: KindIconProps) {
  const medium = mediaListOf(mediaType)?.kind;
  const own = medium ? MEDIA_ICONS[medium] : ICONS[type];
  const Icon = kind === 'avatar' ? ImageIcon : (own ?? FileText);
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-base-200">
      <Icon className="ic" aria-hidden />
    </span>
  );
}
