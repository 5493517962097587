import type { MediaType } from './media-types.ts';

/** The portfolio tab of a kind of media: the texts that a page needs before any form opens. */
export interface MediaTab {
  /** `media_type` on the wire. */
  key: MediaType;
  /** Key of its tab. */
  tab: string;
  tabLabel: string;
  /** Heading of its card and sheet. */
  title: string;
  plural: string;
  emptyText: string;
}

/** In display order. */
export const MEDIA_TABS: readonly MediaTab[] = [
  {
    key: 'image',
    tab: 'photos',
    tabLabel: 'Photos',
    title: 'Photos',
    plural: 'photos',
    emptyText: 'Start with head and shoulders in natural light',
  },
  {
    key: 'video',
    tab: 'videos',
    tabLabel: 'Videos',
    title: 'Videos',
    plural: 'videos',
    emptyText: 'A reel of a minute or two, best scene first',
  },
  {
    key: 'audio',
    tab: 'audio',
    tabLabel: 'Audios',
    title: 'Audios',
    plural: 'recordings',
    emptyText: 'A voice reel that shows your range',
  },
  {
    key: 'document',
    tab: 'docs',
    tabLabel: 'Docs',
    title: 'Docs',
    plural: 'documents',
    emptyText: 'A CV, a press review, a certificate',
  },
];
