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
};

const RECORD_ICONS: Readonly<Record<string, LucideIcon>> = {
  experience: Clapperboard,
  skill: Award,
  media: ImageIcon,
  profile: UserRound,
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
  const icon = findOperation({ kind, type })?.icon;
  const ofRecord = medium ? MEDIA_ICONS[medium] : (RECORD_ICONS[type] ?? FileText);
  // What carries a medium shows the medium.
  const Icon = icon && !medium ? OPERATION_ICONS[icon] : ofRecord;
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-base-200">
      <Icon className="ic" aria-hidden />
    </span>
  );
}
