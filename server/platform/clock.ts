/** The current time. Tests provide their own clock. */
export interface Clock {
  now: () => Date;
}

export const systemClock: Clock = { now: () => new Date() };
