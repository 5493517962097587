import * as z from 'zod/mini';

/** GET /languages. `icon_img` is the URL of a picture. */
export const language = z.object({ id: z.string(), name: z.string(), icon_img: z.string() });
export type Language = z.infer<typeof language>;

/** GET /filters/industry. `count` is the number of people with an active profile in the industry. */
export const industryFilter = z.object({ id: z.string(), name: z.string(), icon_img: z.string(), count: z.int() });
export type IndustryFilter = z.infer<typeof industryFilter>;
