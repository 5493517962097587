import { AudioLines, Clapperboard, FileText, Image, type LucideIcon } from 'lucide-react';
import type { MediaType } from '#contract/media-types.ts';

/** What stands for a medium where there is no picture of it. */
export const KIND_ICONS: Readonly<Record<MediaType, LucideIcon>> = {
  image: Image,
  video: Clapperboard,
  audio: AudioLines,
  document: FileText,
};
