import {
  Award,
  Bell,
  Bookmark,
  Clapperboard,
  FileText,
  MessageCircle,
  Star,
  Image as ImageIcon,
  Link2,
  Video,
  UserMinus,
  UserPlus,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import { mediaListOf } from '#contract/media-types.ts';
import type { OpKind } from '#db/rows.ts';
import { KIND_ICONS } from '#shared/kind-icons.ts';
import { findOperation } from '#sync/operations/index.ts';
import type { OperationIcon } from '#sync/operations/operation.ts';

const OPERATION_ICONS: Readonly<Record<OperationIcon, LucideIcon>> = {
  bookmark: Bookmark,
  star: Star,
  'add person': UserPlus,
  'remove person': UserMinus,
  message: MessageCircle,
  bell: Bell,
  picture: ImageIcon,
  slate: Clapperboard,
};

const RECORD_ICONS: Readonly<Record<string, LucideIcon>> = {
  experience: Clapperboard,
  skill: Award,
  media: ImageIcon,
  profile: UserRound,
  project: Clapperboard,
  role: UserRound,
  project_member: UserRound,
  request: Clapperboard,
  link: Link2,
  candidate: UserRound,
};

/** A video gets its own icon, because a credit has the clapperboard here. */
const MEDIA_ICONS = { ...KIND_ICONS, video: Video };

interface KindIconProps {
  type: string;
  kind: OpKind;
  /** The media type of a file, if known. */
  mediaType?: string | undefined;
}

/** The icon of a change, beside its title. */
export function KindIcon({ type, kind, mediaType }: KindIconProps) {
  const medium = mediaListOf(mediaType)?.kind;
  const icon = findOperation({ kind, type })?.icon;
  const recordIcon = medium ? MEDIA_ICONS[medium] : (RECORD_ICONS[type] ?? FileText);
  // A change that carries a file shows the icon of its media kind.
  const Icon = icon && !medium ? OPERATION_ICONS[icon] : recordIcon;
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-base-200">
      <Icon className="ic" aria-hidden />
    </span>
  );
}
