import type { Prng } from '../sync/simulation/prng.ts';

/** All faults, as the report names them. */
export const FAULTS = [
  'request dropped',
  'response lost',
  'response cut',
  'request duplicated',
  'late response',
  'late request',
  'gateway page',
  'gateway page after the commit',
  'sign-in page',
  'socket refused',
  'socket cut',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Kind of request: API call, file of the app, stored media, or WebSocket. */
export type Target = 'call' | 'shell' | 'media' | 'live';

/** Probability of a fault for each target, 0 to 1. */
export type FaultRates = Readonly<Record<Target, number>> & {
  /** Maximum faults of the app's files: a page that needs a hundred files would otherwise never load. */
  maxShellFaults: number;
};

export const NO_FAULTS: FaultRates = { call: 0, shell: 0, media: 0, live: 0, maxShellFaults: 0 };
/** Rates while a browser loads the app for the first time. */
export const FIRST_LOAD: FaultRates = { call: 0.15, shell: 0.06, media: 0.1, live: 0.2, maxShellFaults: 8 };
export const HEAVY_FAULTS: FaultRates = { call: 0.35, shell: 0.3, media: 0.5, live: 0.5, maxShellFaults: Infinity };

/** Relative frequency of each fault. */
const WEIGHTS: Record<Target, Partial<Record<Fault, number>>> = {
  call: {
    'request dropped': 5,
    'response lost': 6,
    'response cut': 5,
    'request duplicated': 5,
    'late response': 1,
    'late request': 1,
    'gateway page': 3,
    'gateway page after the commit': 3,
    'sign-in page': 1,
  },
  shell: { 'request dropped': 2, 'response cut': 2, 'gateway page': 2, 'sign-in page': 1 },
  media: { 'request dropped': 2, 'response lost': 1, 'response cut': 2, 'gateway page': 2, 'sign-in page': 1 },
  live: { 'socket refused': 1, 'socket cut': 3 },
};

/** Draws the fault of the next request; null for none. */
export function drawFault(prng: Prng, target: Target, faultRates: FaultRates): Fault | null {
  if (!prng.chance(faultRates[target])) return null;
  const drawn = Object.entries(WEIGHTS[target]).flatMap(([fault, weight]) =>
    Array.from({ length: weight }, () => fault as Fault),
  );
  return prng.pick(drawn);
}

/** Statuses of gateway error pages. The last three look like refusals of the app's server. */
export const GATEWAY_STATUSES = [502, 503, 502, 503, 504, 401, 404, 429] as const;
