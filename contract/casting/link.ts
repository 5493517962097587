import { LINK_LIMITS } from '../records/links.ts';
import { defineForm, text } from '../section.ts';

/** What the owner writes about a share link. */
export const LINK_FORM = defineForm({
  fields: {
    name: text('For whom', LINK_LIMITS.name, { missing: 'Say whom it is for' }),
    watermark: text('Over the picture', LINK_LIMITS.watermark, { missing: 'Say what runs over the picture' }),
  },
  rules: [],
  example: { name: 'Anand Rege', watermark: 'Anand Rege' },
});
