/** Messages between the two processes of the part `fan-out`. */
export interface Order {
  do: 'rounds' | 'flood' | 'memory';
  count: number;
  channels: number;
  /** The text of each event. */
  text: string;
}

export interface Report {
  value: number;
}

export const APP_KEY = 'bench';
export const getChannel = (n: number): string => `news-${n}`;
