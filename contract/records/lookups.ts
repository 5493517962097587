import * as z from 'zod/mini';

/** GET /languages: every language there is to choose from. `icon_img` is the address of a picture. */
export const language = z.object({ id: z.string(), name: z.string(), icon_img: z.string() });
export type Language = z.infer<typeof language>;

/** GET /filters/industry; `count`: people with an active profile in it. */
export const industryFilter = z.object({ id: z.string(), name: z.string(), icon_img: z.string(), count: z.int() });
export type IndustryFilter = z.infer<typeof industryFilter>;
