import { createPrng, mixSeed } from '../simulation/prng.ts';
import { FAULTS, PORTAL_PAGES, type Fault } from '../simulation/network.ts';

/** What the side that casts does. Names and order are part of every seed. */
const OWNER_WEIGHTS = {
  project: 2,
  role: 4,
  ask: 7,
  'ask several': 4,
  'ask twice': 1,
  'edit project': 2,
  'edit role': 3,
  'change request': 4,
  close: 2,
  'open again': 3,
  'delete project': 1,
  'delete role': 1,
  withdraw: 4,
  answer: 5,
  cast: 4,
  shortlist: 3,
  'move card': 3,
  'remove card': 1,
  'change columns': 2,
  link: 3,
  'change link': 2,
  'revoke link': 2,
  invite: 3,
  'remove member': 1,
} as const;

/** What performers do. */
const PERFORMER_WEIGHTS = {
  see: 6,
  confirm: 6,
  decline: 7,
  'yes and no': 4,
  question: 5,
  'several questions': 2,
  days: 4,
  tape: 8,
} as const;

/** What a colleague in the first project does. */
const COLLEAGUE_WEIGHTS = { rate: 8, 'rate again': 2, reply: 4, leave: 1 } as const;

/** What happens to devices, network and server. */
const ALL_WEIGHTS = {
  look: 9,
  pull: 6,
  'try now': 2,
  offline: 5,
  online: 6,
  crash: 4,
  'crash all': 2,
  'open page': 2,
  cure: 5,
  'token dies': 1,
  'cursor dies': 1,
  'clock jump': 3,
  portal: 2,
  block: 1,
  'remove colleague': 3,
  'colleague comes back': 3,
  'store evicted': 1,
} as const;

const WEIGHTS = { ...OWNER_WEIGHTS, ...PERFORMER_WEIGHTS, ...COLLEAGUE_WEIGHTS, ...ALL_WEIGHTS };
export type OwnerAct = keyof typeof OWNER_WEIGHTS;
export type PerformerAct = keyof typeof PERFORMER_WEIGHTS;
export type ColleagueAct = keyof typeof COLLEAGUE_WEIGHTS;
export type PlayedAct = keyof typeof ALL_WEIGHTS;
export type CastingAct = keyof typeof WEIGHTS;

export const CASTING_ACTS = Object.keys(WEIGHTS) as CastingAct[];
const BAG = CASTING_ACTS.flatMap((act) => Array.from({ length: WEIGHTS[act] }, () => act));

export const isOwnerAct = (act: CastingAct): act is OwnerAct => act in OWNER_WEIGHTS;
export const isPerformerAct = (act: CastingAct): act is PerformerAct => act in PERFORMER_WEIGHTS;
export const isColleagueAct = (act: CastingAct): act is ColleagueAct => act in COLLEAGUE_WEIGHTS;

export interface CastingPlan {
  seed: number;
  locks: 'held' | 'absent';
  performers: 2 | 3;
  /** Whether the first performer has a second device. */
  hasTablet: boolean;
  /** How often a change on the server makes the devices of its readers pull. */
  eventRate: number;
  /** Offset of each device's clock at first, ms. */
  skewsMs: number[];
  /** `device` chooses among the devices of whoever does this. */
  acts: { at: number; kind: CastingAct; device: number; throw: number }[];
  faults: [ordinal: number, fault: Fault][];
}

const HOUR_MS = 3_600_000;

/** Faults of records that another server's program changes. */
const UNUSED: readonly Fault[] = ['412', 'poison'];
/** Faults of requests that this simulation draws. */
export const CASTING_FAULTS: readonly Fault[] = [...FAULTS.filter((fault) => !UNUSED.includes(fault)), ...PORTAL_PAGES];
/** Faults after which nobody but the server knows what happened. */
export const UNKNOWN: readonly Fault[] = [
  'answer lost',
  'twice',
  'late after a retry',
  'reordered',
  '502 after commit',
];

export function createCastingPlan(seed: number): CastingPlan {
  const prng = createPrng(mixSeed(seed, 'casting'));
  let at = 200;
  const maxGapMs = prng.pick([50, 400, 3000]);
  const acts = Array.from({ length: 14 + prng.int(34) }, () => {
    at += prng.int(maxGapMs);
    if (prng.chance(0.08)) at += 5000 + prng.int(60_000);
    return { at, kind: prng.pick(BAG), device: prng.int(60), throw: prng.int(0xffffffff) };
  });
  const faultDensity = prng.pick([0, 0.15, 0.35, 0.6]);
  const kinds = prng.chance(0.4) ? UNKNOWN : CASTING_FAULTS;
  const faults: CastingPlan['faults'] = [];
  for (let ordinal = 0; ordinal < 300; ordinal += 1) {
    if (prng.chance(faultDensity)) faults.push([ordinal, prng.pick(kinds)]);
  }
  return {
    seed,
    locks: prng.chance(0.2) ? 'absent' : 'held',
    performers: prng.chance(0.7) ? 2 : 3,
    hasTablet: prng.chance(0.5),
    eventRate: prng.pick([0.3, 0.8]),
    skewsMs: Array.from({ length: 7 }, () => (prng.chance(0.5) ? 0 : Math.round((prng.next() * 12 - 6) * HOUR_MS))),
    acts,
    faults,
  };
}

export function describeCasting(plan: CastingPlan): string {
  const people = `${plan.performers} performers${plan.hasTablet ? ', the first with a tablet' : ''}`;
  return [
    `seed ${plan.seed} (casting, ${people}), locks ${plan.locks}, clocks off by ${plan.skewsMs.join(', ')} ms`,
    ...plan.acts.map((act) => `  ${String(act.at).padStart(7)} ms  ${act.kind} (${act.device})`),
    ...plan.faults.map(([ordinal, fault]) => `  request ${ordinal}: ${fault}`),
  ].join('\n');
}
