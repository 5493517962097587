/** What the time is; tests bring their own. */
export interface Clock {
  now: () => Date;
}

export const systemClock: Clock = { now: () => new Date() };
