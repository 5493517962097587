import { AudioLines, Clapperboard, FileText, Image, type LucideIcon } from 'lucide-react';
import type { MediaType } from '#contract/media-types.ts';

/** Icons for media without a picture. */
export const KIND_ICONS: Readonly<Record<MediaType, LucideIcon>> = {
  image: Image,
  video: Clapperboard,
  audio: AudioLines,
  document: FileText,
};
