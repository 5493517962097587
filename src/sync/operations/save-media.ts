import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { SAVED_MEDIA } from '#db/saved-and-connected.ts';
import { defineToggle, putSavedCard } from './toggle.ts';

/** Saves a media item, or removes it from Saved. */
export const saveMedia = defineToggle({
  type: SAVED_MEDIA,
  on: ENGINE_CALLS.saveMedia,
  off: ENGINE_CALLS.unsaveMedia,
  words: { on: 'Save', off: 'Remove from Saved:' },
  icon: 'bookmark',
  goneText: 'It is no longer on Callboard.',
  acknowledge: putSavedCard,
});
