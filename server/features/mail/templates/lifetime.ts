const DAY_MS = 24 * 60 * 60_000;

/** How long links work that only confirm or protect something. */
export const LINK_DAYS = 7;

export const toLifetime = (days: number): number => days * DAY_MS;
