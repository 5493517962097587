import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { defineToggle, putSavedCard } from './toggle.ts';

/** Saves a profile, or removes it from Saved. */
export const saveProfile = defineToggle({
  type: 'saved_profile',
  on: ENGINE_CALLS.saveProfile,
  off: ENGINE_CALLS.unsaveProfile,
  words: { on: 'Save', off: 'Remove from Saved:' },
  icon: 'bookmark',
  acknowledge: putSavedCard,
});
