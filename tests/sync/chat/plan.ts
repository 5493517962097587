import { createPrng, mixSeed } from '../simulation/prng.ts';
import { FAULTS, type Fault } from '../simulation/network.ts';

/** Acts of the people and changes of the live connection. Names and order are part of every seed. */
export const CHAT_ACTS = [
  'write',
  'write many',
  'photo',
  'read',
  'star',
  'pull',
  'offline',
  'online',
  'crash',
  'crash all',
  'open page',
  'socket dies',
  'socket back',
  'older',
  'cure',
  'token dies',
  'cursor dies',
] as const;
export type ChatAct = (typeof CHAT_ACTS)[number];

const WEIGHTS: Record<ChatAct, number> = {
  write: 12,
  'write many': 5,
  photo: 4,
  read: 4,
  star: 2,
  pull: 2,
  offline: 3,
  online: 4,
  crash: 3,
  'crash all': 1,
  'open page': 2,
  'socket dies': 3,
  'socket back': 3,
  older: 1,
  cure: 2,
  'token dies': 1,
  'cursor dies': 1,
};
const BAG = CHAT_ACTS.flatMap((act) => Array.from({ length: WEIGHTS[act] }, () => act));

/** Outcomes of one event sent to one socket. */
export const EVENT_OUTCOMES = ['delivered', 'missed', 'doubled', 'late'] as const;

export interface ChatPlan {
  seed: number;
  /** Whether the server offers the basic API only: no idempotency keys, sequence numbers or receipts. */
  isBasic: boolean;
  /** Whether its lists have ETags. */
  hasTags: boolean;
  locks: 'held' | 'absent';
  acts: { at: number; kind: ChatAct; device: number; throw: number }[];
  faults: [ordinal: number, fault: Fault][];
  /** Probability that an event does not simply arrive. */
  eventFaultRate: number;
}

/** Faults that apply to messages. The others concern versions. */
const USUAL = FAULTS.filter((fault) => !['412', 'poison'].includes(fault));

export function createChatPlan(seed: number, { isBasic = false } = {}): ChatPlan {
  const prng = createPrng(mixSeed(seed, 'chat'));
  let at = 200;
  const maxGapMs = prng.pick([50, 400, 3000]);
  const acts = Array.from({ length: 6 + prng.int(20) }, () => {
    at += prng.int(maxGapMs);
    if (prng.chance(0.08)) at += 5000 + prng.int(60_000);
    return { at, kind: prng.pick(BAG), device: prng.int(3), throw: prng.int(0xffffffff) };
  });
  const faultDensity = prng.pick([0, 0.1, 0.3, 0.5]);
  const faults: ChatPlan['faults'] = [];
  for (let ordinal = 0; ordinal < 200; ordinal += 1) {
    if (prng.chance(faultDensity)) faults.push([ordinal, prng.pick(USUAL)]);
  }
  // Without idempotency keys only the lock keeps two runs from sending the same message.
  const locks = prng.chance(0.25) && !isBasic ? 'absent' : 'held';
  const eventFaultRate = prng.pick([0, 0.3, 0.7]);
  return { seed, isBasic, hasTags: !isBasic || prng.chance(0.5), locks, acts, faults, eventFaultRate };
}

export function describeChat(plan: ChatPlan): string {
  return [
    `seed ${plan.seed} (two people write to each other${plan.isBasic ? ', basic API' : ''}), locks ${plan.locks}, eventFaultRate ${plan.eventFaultRate}`,
    ...plan.acts.map((act) => `  ${String(act.at).padStart(7)} ms  ${act.kind} on device ${act.device}`),
    ...plan.faults.map(([ordinal, fault]) => `  request ${ordinal}: ${fault}`),
  ].join('\n');
}
