import { beforeAll, describe, expect, it } from 'vitest';
import { addProfile, requestConnection } from '../server/support/people.ts';
import { useTestServer, type Person } from '../server/support/test-server.ts';
import { loadRunner } from '../sync/simulation/bundle.ts';
import type { Fault } from '../sync/simulation/network.ts';
import { createPlan, getThemeSeeds, type ActKind, type Plan } from '../sync/simulation/plan.ts';
import type { Outcome } from '../sync/simulation/play.ts';
import type { Recorded } from '../sync/simulation/simulation.ts';
import { sendPeopleRequests, sendPortfolioRequests, RequestScript } from './request-script.ts';
import { Replay } from './replay.ts';

/** Network faults, which the server does not notice. All other faults are behavior of the fake server. */
const NETWORK_FAULTS: readonly Fault[] = [
  'lost',
  'answer lost',
  'twice',
  'late after a retry',
  'reordered',
  'slow body',
  'cut',
  'html',
  'timeout',
];
/** Actions that only send requests: they neither change the store of the fake nor involve a second person on the device. */
const ACTS: readonly ActKind[] = [
  'create',
  'edit',
  'edit profile',
  'edit about',
  'edit set',
  'delete',
  'delete and undo',
  'add photo',
  'add media',
  'add link',
  'edit media',
  'save media',
  'set avatar',
  'save',
  'connect',
  'cure',
  'pull',
  'try now',
  'offline',
  'online',
  'crash',
  'open page',
];

const SEEDS = [1, 4, 5, 7, 9, 10, 13, 15, 17];
/** Seeds of runs with a focus on the portfolio. */
const PORTFOLIO_SEEDS = [11, 83];

/** Calls that the runs make together, in addition to those that every run makes. */
const EXPECTED_CALLS = [
  'DELETE /media/: 200',
  'POST /attributes 200',
  'POST /connections/accept/: 200',
  'POST /connections/request/: 201',
  'POST /media/:/save 200',
  'POST /media/:/unsave 200',
  'POST /profile/:/save 200',
  'POST /profile/avatar 200',
  'POST /submit/media-form of a document 201',
  'POST /submit/media-form of a link 201',
  'POST /submit/media-form of a video 201',
  'POST /submit/media-form of an audio 201',
  'POST /submit/media-form of an image 201',
  'PUT /media/: 200',
];

function recordedPlan(seed: number): Plan {
  const plan = createPlan(seed);
  return {
    ...plan,
    devices: 2,
    acts: plan.acts.map((act, n) => (ACTS.includes(act.kind) ? act : { ...act, kind: ACTS[n % ACTS.length]! })),
    faults: plan.faults.map(([at, fault]) => [
      at,
      NETWORK_FAULTS.includes(fault) ? fault : NETWORK_FAULTS[at % NETWORK_FAULTS.length]!,
    ]),
    record: true,
  };
}

/** Joins four plans with pauses between their actions, so that media arrive before they are edited. */
function longPlan(seed: number): Plan {
  const { step } = getThemeSeeds('a portfolio');
  const plans = [0, 1, 2, 3].map((n) => recordedPlan(seed + n * step));
  const acts = plans.flatMap((plan) => plan.acts).map((act, n) => ({ ...act, at: (n + 1) * 900 }));
  return { ...plans[0]!, acts, faults: plans[0]!.faults.filter((_, n) => n % 3 === 0) };
}

/** Returns the name of a call as in EXPECTED_CALLS. */
function toCallName({ request: { method, path, body }, answer }: Recorded): string {
  const call = `${method} ${path.replace(/\?.*/, '').replace(/(?<=\/)(\d+|u\d+n\d+)(?=\/|$)/g, ':')}`;
  if (!path.startsWith('/submit') || body.kind !== 'json') return `${call} ${answer.status}`;
  const { media_type, youtube_url } = JSON.parse(body.text) as Record<string, string>;
  const what = youtube_url ? 'link' : media_type!;
  return `${call} of ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} ${answer.status}`;
}

describe('fake server of the simulation', () => {
  const runs = new Map<number, Outcome>();
  // Plays before the real server starts, because a run replaces the clock of the whole process.
  beforeAll(async () => {
    const runner = await loadRunner('replay');
    for (const seed of SEEDS) runs.set(seed, await runner.play(recordedPlan(seed)));
    for (const seed of PORTFOLIO_SEEDS) runs.set(seed, await runner.play(longPlan(seed)));
  });
  const testServer = useTestServer();
  const neighbors: { person: Person; profileId: string }[] = [];

  beforeAll(async () => {
    for (const n of [1, 2, 3]) {
      const person = await testServer.join(`Person u1n${n}`);
      neighbors.push({ person, profileId: (await addProfile(testServer, person, 0, `Stage u1n${n}0`)).id });
    }
  });

  /** Replays the exchanges on the real server as a person with the data of u1. @returns the differences */
  async function replay(exchanges: readonly Recorded[], others: Record<string, string> = {}): Promise<string[]> {
    const person = await testServer.join('Person u1');
    const ids: Record<string, string> = { u1: person.id, ...others };
    // The fake numbers all records in one sequence: profiles of u1 and u2, then of the neighbors, then the request.
    for (const n of [0, 1]) ids[String(n + 1)] = (await addProfile(testServer, person, n, `Stage u1${n}`)).id;
    neighbors.forEach((each, n) => {
      ids[`u1n${n + 1}`] = each.person.id;
      ids[String(n + 5)] = each.profileId;
    });
    ids['8'] = await requestConnection(testServer, neighbors.at(-1)!.person, person);
    const played = new Replay(testServer, person, ids);
    for (const exchange of exchanges) if (exchange.userId === 'u1') await played.play(exchange);
    return [...new Set(played.differences)];
  }

  it.each([...SEEDS, ...PORTFOLIO_SEEDS])('answers like the real server: seed %i', async (seed) => {
    const { exchanges, failure } = runs.get(seed)!;
    expect(failure).toBeNull();
    expect(await replay(exchanges)).toEqual([]);
    expect(exchanges.length).toBeGreaterThan(4);
  });

  it('receives every call that a person can make', () => {
    const calls = new Set<string>();
    for (const seed of [...SEEDS, ...PORTFOLIO_SEEDS]) {
      for (const exchange of runs.get(seed)!.exchanges) calls.add(toCallName(exchange));
    }
    expect(EXPECTED_CALLS.filter((call) => !calls.has(call))).toEqual([]);
  });

  it('handles connection requests like the real server', async () => {
    const script = new RequestScript();
    sendPeopleRequests(script);
    expect(await replay(script.exchanges)).toEqual([]);
  });

  it('rejects invalid portfolio requests like the real server', async () => {
    const script = new RequestScript();
    await sendPortfolioRequests(script);
    expect(await replay(script.exchanges, { 3: neighbors[0]!.profileId })).toEqual([]);
  });
});
