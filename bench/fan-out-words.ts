/** What the two processes of the part `fan-out` say to each other. */
export interface Order {
  do: 'rounds' | 'flood' | 'memory';
  count: number;
  channels: number;
  /** Goes out with each event. */
  text: string;
}

export interface Report {
  value: number;
}

export const APP_KEY = 'bench';
export const channelOf = (n: number): string => `news-${n}`;
