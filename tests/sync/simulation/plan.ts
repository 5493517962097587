import { createPrng, mixSeed, type Prng } from './prng.ts';
import { FAULTS, PORTAL_PAGES, type Fault } from './network.ts';

/** Acts other than network faults, with the weight of each draw. Names and order are part of every seed. */
const WEIGHTS = {
  create: 10,
  edit: 14,
  'edit profile': 4,
  'edit about': 3,
  'edit set': 3,
  delete: 5,
  'delete and undo': 3,
  'add photo': 3,
  'set avatar': 2,
  cure: 6,
  look: 4,
  pull: 4,
  'try now': 2,
  offline: 4,
  online: 4,
  crash: 8,
  'write and die': 2,
  'gone at once': 1,
  'crash all': 2,
  'close page': 2,
  'open page': 4,
  freeze: 2,
  'web edit': 3,
  'web delete': 1,
  'clock jump': 2,
  'storage trouble': 3,
  'connections closed': 1,
  versionchange: 1,
  'token dies': 2,
  'sign in again': 3,
  'sign out, keep': 1,
  'other signs in': 1,
  'sign in back': 1,
  'cursor forgotten': 1,
  portal: 1,
  'create profile': 1,
  'add row': 2,
  toggle: 1,
  // Drawn only where a theme asks for them, so that the seeds of other themes keep their meaning.
  save: 0,
  connect: 0,
  part: 0,
  'commit unreported': 1,
  'answer unkeepable': 0,
  'store deleted': 0,
  'news comes': 0,
  'look at news': 0,
  'write a lot': 0,
  'add media': 0,
  'add link': 0,
  'edit media': 0,
  'save media': 0,
  'address unconfirmed': 0,
  'confirm address': 0,
  seal: 0,
  'open file': 0,
  'device lost': 0,
  'edit slowly': 0,
} as const;
export type ActKind = keyof typeof WEIGHTS;
export const ACT_KINDS = Object.keys(WEIGHTS) as ActKind[];

/** Seeds take turns at the themes, so that rare combinations of acts and faults do not depend on luck alone. */
interface Theme {
  name: string;
  /** Factors by which acts are drawn more often. */
  weightFactors: Partial<Record<ActKind, number>>;
  faults: readonly Fault[];
  faultDensities: readonly number[];
  /** Upper bounds of the gap between two acts, in milliseconds. */
  maxGapsMs: readonly number[];
  devices?: number;
}

const THEMES: Theme[] = [
  {
    name: 'anything',
    weightFactors: {},
    faults: FAULTS,
    faultDensities: [0, 0.1, 0.25, 0.5],
    maxGapsMs: [50, 400, 3000],
  },
  {
    name: 'a bad connection',
    weightFactors: { edit: 2, create: 3, delete: 4, 'try now': 3 },
    faults: [
      'lost',
      'answer lost',
      'late after a retry',
      'twice',
      'reordered',
      'slow body',
      'timeout',
      '502 after commit',
    ],
    faultDensities: [0.3, 0.6],
    maxGapsMs: [50, 400],
  },
  {
    name: 'a Wi-Fi with a sign-in page',
    weightFactors: { 'edit profile': 4, edit: 2, delete: 8, 'add photo': 2, portal: 12, pull: 3, 'try now': 3 },
    faults: ['html', 'redirect', ...PORTAL_PAGES],
    faultDensities: [0.1, 0.5],
    maxGapsMs: [400, 3000],
  },
  {
    name: 'refusals',
    weightFactors: { edit: 6, cure: 5, 'web edit': 5 },
    faults: ['422', '422', '422', '403', '413', '400', 'poison', 'slow body', 'reordered'],
    faultDensities: [0.4],
    maxGapsMs: [50, 120],
  },
  {
    name: 'another device',
    weightFactors: {
      create: 3,
      edit: 2,
      'edit slowly': 12,
      'gone at once': 20,
      'web edit': 6,
      'web delete': 16,
      cure: 8,
      pull: 8,
      delete: 2,
      online: 3,
    },
    faults: ['answer lost', 'reordered', 'reordered', '412', 'slow body'],
    faultDensities: [0.1, 0.5],
    maxGapsMs: [50, 400, 3000],
    devices: 2,
  },
  {
    name: 'two people and one phone',
    weightFactors: {
      create: 2,
      'sign out, keep': 3,
      'other signs in': 12,
      'sign in back': 8,
      'open page': 4,
      'token dies': 6,
      'sign in again': 6,
    },
    faults: ['401', 'lost', 'lost', '503 quiet'],
    faultDensities: [0.2, 0.5],
    maxGapsMs: [50, 400],
    devices: 1,
  },
  {
    name: 'pages come and go',
    weightFactors: {
      'open page': 6,
      'write and die': 8,
      crash: 2,
      freeze: 5,
      'crash all': 3,
      'close page': 3,
      offline: 2,
      'write a lot': 8,
    },
    faults: FAULTS,
    faultDensities: [0, 0.2],
    maxGapsMs: [50, 400, 3000],
  },
  {
    name: 'photos',
    weightFactors: { 'add photo': 8, 'set avatar': 8, crash: 2, delete: 2 },
    faults: ['cut', 'lost', 'answer lost', 'upload forgotten', 'timeout', 'twice', '413', '500', 'damaged', 'damaged'],
    faultDensities: [0.1, 0.3, 0.6],
    maxGapsMs: [400, 3000],
  },
  {
    name: 'a clock out of order',
    weightFactors: { 'clock jump': 24, edit: 8, 'edit profile': 8 },
    faults: ['lost', 'lost', '429', '503 quiet', '500', 'answer lost', 'timeout'],
    faultDensities: [0.3, 0.6],
    maxGapsMs: [50, 150, 400],
  },
  {
    name: 'a failing disk',
    weightFactors: {
      'storage trouble': 12,
      'commit unreported': 30,
      'connections closed': 4,
      versionchange: 4,
      'answer unkeepable': 20,
      'store deleted': 12,
      offline: 2,
    },
    faults: ['lost', 'answer lost'],
    faultDensities: [0, 0.2],
    maxGapsMs: [50, 400, 3000],
  },
  {
    name: 'other people',
    weightFactors: {
      save: 60,
      toggle: 30,
      connect: 30,
      part: 10,
      look: 3,
      pull: 3,
      cure: 2,
      'web delete': 6,
      offline: 2,
      online: 3,
      'news comes': 60,
      'look at news': 30,
      'address unconfirmed': 24,
      'confirm address': 16,
    },
    faults: FAULTS,
    faultDensities: [0.1, 0.3, 0.5],
    maxGapsMs: [50, 400, 3000],
  },
  {
    name: 'a portfolio',
    weightFactors: {
      'add media': 30,
      'add link': 10,
      'add photo': 4,
      'edit media': 40,
      'edit slowly': 10,
      'save media': 20,
      delete: 3,
      'web edit': 3,
      'web delete': 3,
      cure: 3,
      pull: 3,
      crash: 2,
    },
    faults: [...FAULTS, 'cut', 'upload forgotten', '412', 'answer lost', '422'],
    faultDensities: [0.1, 0.3, 0.5],
    maxGapsMs: [50, 400, 3000],
    devices: 2,
  },
  {
    name: 'a session that ends',
    weightFactors: { create: 3, edit: 3, 'token dies': 4, 'sign in again': 8, 'try now': 4, 'open page': 2 },
    faults: ['answer lost, then 401', 'answer lost, then 401', '401', 'answer lost', 'slow body'],
    faultDensities: [0.2, 0.5],
    maxGapsMs: [50, 400, 3000],
  },
  {
    name: 'a server that asks for quiet',
    weightFactors: { create: 2, edit: 2, 'add photo': 2, pull: 8, 'try now': 6, 'open page': 3, online: 2 },
    faults: ['429', '503 quiet', '429', '503 quiet', 'reordered'],
    faultDensities: [0.1, 0.3],
    maxGapsMs: [50, 400, 3000],
  },
  {
    name: 'a forgotten cursor',
    weightFactors: {
      create: 4,
      'gone at once': 8,
      'cursor forgotten': 20,
      'edit slowly': 10,
      pull: 12,
      'open page': 4,
      'web edit': 4,
      'web delete': 8,
    },
    faults: ['cursor forgotten', 'answer lost', 'reordered', 'slow body', 'lost'],
    faultDensities: [0.1, 0.4],
    maxGapsMs: [50, 400, 3000],
  },
  {
    name: 'a new profile',
    weightFactors: {
      'create profile': 40,
      create: 3,
      'edit profile': 6,
      'edit set': 4,
      'edit about': 3,
      'add photo': 3,
      delete: 2,
    },
    faults: ['answer lost', 'lost', 'twice', '422', '500', '401', '403', 'slow body'],
    faultDensities: [0.1, 0.3, 0.5],
    maxGapsMs: [50, 400, 3000],
  },
  {
    name: 'second thoughts',
    weightFactors: {
      'delete and undo': 20,
      delete: 4,
      edit: 3,
      part: 20,
      connect: 10,
      toggle: 6,
      'address unconfirmed': 2,
      'confirm address': 2,
      'web delete': 8,
      pull: 4,
      cure: 8,
    },
    faults: ['answer lost', 'slow body', 'reordered', 'lost', '412', '403'],
    faultDensities: [0.1, 0.3, 0.5],
    maxGapsMs: [400, 3000],
  },
  {
    name: 'every section',
    weightFactors: { 'add row': 40, edit: 6, delete: 3, 'web edit': 3, 'web delete': 2, cure: 3, pull: 2 },
    faults: FAULTS,
    faultDensities: [0.1, 0.3, 0.5],
    maxGapsMs: [50, 400, 3000],
  },
];

/**
 * A file with the unsent changes of the first device is opened on the second one. Apart from the others, so that their
 * seeds keep their themes.
 */
const SEALED: Theme = {
  name: 'a sealed file',
  weightFactors: {
    seal: 4,
    'open file': 8,
    'device lost': 1,
    create: 2,
    edit: 3,
    'edit set': 2,
    delete: 2,
    'create profile': 3,
    'add media': 2,
    'add photo': 2,
    'edit media': 4,
    'edit slowly': 4,
    save: 5,
    connect: 5,
    part: 2,
    'look at news': 3,
    'news comes': 3,
    cure: 2,
    online: 3,
  },
  faults: [...FAULTS, 'lost', 'answer lost', 'twice', '422', '412'],
  faultDensities: [0, 0.1, 0.3],
  maxGapsMs: [50, 400, 3000],
  devices: 2,
};

const buildBag = ({ weightFactors }: Theme) =>
  ACT_KINDS.flatMap((kind) => {
    const weight = WEIGHTS[kind] || (kind in weightFactors ? 1 : 0);
    return Array.from({ length: weight * (weightFactors[kind] ?? 1) }, () => kind);
  });
const BAGS = new Map([...THEMES, SEALED].map((theme) => [theme, buildBag(theme)]));

export interface Act {
  /** Virtual milliseconds. */
  at: number;
  kind: ActKind;
  device: number;
  /** Seeds every choice inside the act. The name is stored in `replayed.json`. */
  throw: number;
}

/** Everything that happens in a run, fixed in advance, so that a failing run can be shrunk step by step. */
export interface Plan {
  seed: number;
  theme: string;
  /** Whether the server offers the basic API only. The name is stored in `replayed.json`. */
  isForeign: boolean;
  devices: number;
  locks: 'held' | 'absent';
  acts: Act[];
  faults: [ordinal: number, fault: Fault][];
  /** Whether the outcome contains requests and responses. */
  record?: true;
  /** Replaces `acts`: runs these acts one after the other with one failure at an exact point. */
  script?: Script;
}

export type ScriptAct = 'create' | 'edit' | 'delete' | 'photo' | 'video' | 'audio' | 'document';

export interface Script {
  acts: readonly ScriptAct[];
  /** Steps before everything on the device crashes. */
  crashAfter: number | null;
  /** Steps before the person signs out and the pages close in an orderly way. */
  signOutAfter?: number;
  /** Requests of a write that succeed before the disk is full. Applies to four writes that are long enough. */
  fullAfter?: number;
  /** Bytes of a piece that arrive before the connection is cut. */
  cutAt?: number;
}

/** Creates the plan of a seed. */
export function createPlan(seed: number, options: { isBasic?: boolean; isSealed?: boolean } = {}): Plan {
  const prng = createPrng(mixSeed(seed, 'plan'));
  const isBasic = options.isBasic ?? false;
  const theme = options.isSealed ? SEALED : THEMES[seed % THEMES.length]!;
  const devices = theme.devices ?? (prng.chance(0.25) ? 2 : 1);
  const count = 4 + prng.int(14);
  const maxGapMs = prng.pick(theme.maxGapsMs);
  let at = 200;
  const acts: Act[] = [];
  for (let n = 0; n < count; n += 1) {
    at += prng.int(maxGapMs);
    // A gap in which held deletes, back-offs and leases can expire.
    if (prng.chance(0.08)) at += 5000 + prng.int(60_000);
    const kind = prng.pick(BAGS.get(theme)!);
    acts.push({ at, kind, device: prng.int(devices), throw: prng.int(0xffffffff) });
  }
  if (options.isSealed) {
    acts.push(...sealAndOpen(prng, at));
    acts.sort((one, other) => one.at - other.at);
  }
  const faultDensity = prng.pick(theme.faultDensities);
  // Half of the seeds use few kinds of faults.
  const kinds = prng.chance(0.5) ? theme.faults : Array.from({ length: 2 }, () => prng.pick(theme.faults));
  const faults: Plan['faults'] = [];
  for (let ordinal = 0; ordinal < 150; ordinal += 1) {
    if (prng.chance(faultDensity)) faults.push([ordinal, prng.pick(kinds)]);
  }
  // Without idempotency keys two runners can duplicate a change, so the engine needs the lock. Every browser has it.
  const locks = prng.chance(0.25) && !isBasic ? 'absent' : 'held';
  return { seed, theme: theme.name, isForeign: isBasic, devices, locks, acts, faults };
}

/**
 * The first device writes without a connection, seals and comes back at some time. The second one opens the file before or
 * after that.
 */
function sealAndOpen(prng: Prng, end: number): Act[] {
  const act = (kind: ActKind, at: number, device: number): Act => ({ at, kind, device, throw: prng.int(0xffffffff) });
  const sealedAt = 200 + prng.int(end);
  const acts = [act('seal', sealedAt, 0), act('open file', sealedAt + 20 + prng.int(end), 1)];
  if (prng.chance(0.7)) acts.push(act('offline', 0, 0), act('online', sealedAt + prng.int(2 * end), 0));
  if (prng.chance(0.2)) acts.push(act('device lost', sealedAt + prng.int(1000), 0));
  // The person goes on around that moment: what they do is in the file, or comes after it.
  for (let left = prng.int(6); left > 0; left -= 1) {
    const kind = prng.pick(['edit', 'edit about', 'delete and undo', 'add photo'] as const);
    acts.push(act(kind, Math.max(0, sealedAt - 300 + prng.int(600)), 0));
  }
  return acts;
}

/** Formats a plan for a person to read. */
export function describePlan(plan: Plan): string {
  const server = plan.isForeign ? ', basic API' : '';
  const head = `seed ${plan.seed} (${plan.theme}${server}), ${plan.devices} device(s), locks ${plan.locks}`;
  const acts = plan.acts.map((act) => `  ${String(act.at).padStart(7)} ms  ${act.kind} on device ${act.device}`);
  const faults = plan.faults.map(([ordinal, fault]) => `  request ${ordinal}: ${fault}`);
  return [head, 'acts:', ...acts, 'faults:', ...faults].join('\n');
}

/** Returns the first seed of a theme and the distance to the next one. */
export function getThemeSeeds(theme: string): { first: number; step: number; isSealed?: boolean } {
  if (theme === SEALED.name) return { first: 1, step: 1, isSealed: true };
  const at = THEMES.findIndex((each) => each.name === theme);
  if (at < 0) throw new Error(`unknown theme: ${theme}`);
  return { first: at === 0 ? THEMES.length : at, step: THEMES.length };
}
