import { beforeAll, describe, expect, it } from 'vitest';
import { addProfile, requestConnection } from '../server/support/people.ts';
import { useTestServer, type Person } from '../server/support/test-server.ts';
import { loadRunner } from '../sync/simulation/bundle.ts';
import type { Fault } from '../sync/simulation/network.ts';
import { createPlan, getThemeSeeds, type ActKind, type Plan } from '../sync/simulation/plan.ts';
import type { Outcome } from '../sync/simulation/play.ts';
import type { Recorded } from '../sync/simulation/simulation.ts';
import { askPeople, askPortfolio, Conversation } from './conversation.ts';
import { Replay } from './replay.ts';

/** Faults of the wire, which the server knows nothing of; the others are the fake's own whims. */
const WIRE: readonly Fault[] = [
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
/** Acts that are requests and nothing else: no hand on the fake's store, and no second person at the device. */
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
/** Of lives that dwell on a portfolio. */
const PORTFOLIO_SEEDS = [11, 83];

/** What the lives ask between them, beside what every life asks. */
const ASKED = [
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
    faults: plan.faults.map(([at, fault]) => [at, WIRE.includes(fault) ? fault : WIRE[at % WIRE.length]!]),
    record: true,
  };
}

/** A life of four others with pauses between its acts: what lies in a portfolio has arrived before it is changed. */
function longPlan(seed: number): Plan {
  const { step } = getThemeSeeds('a portfolio');
  const lives = [0, 1, 2, 3].map((n) => recordedPlan(seed + n * step));
  const acts = lives.flatMap((plan) => plan.acts).map((act, n) => ({ ...act, at: (n + 1) * 900 }));
  return { ...lives[0]!, acts, faults: lives[0]!.faults.filter((_, n) => n % 3 === 0) };
}

/** A call as it stands in ASKED. */
function nameOf({ request: { method, path, body }, answer }: Recorded): string {
  const call = `${method} ${path.replace(/\?.*/, '').replace(/(?<=\/)(\d+|u\d+n\d+)(?=\/|$)/g, ':')}`;
  if (!path.startsWith('/submit') || body.kind !== 'json') return `${call} ${answer.status}`;
  const { media_type, youtube_url } = JSON.parse(body.text) as Record<string, string>;
  const what = youtube_url ? 'link' : media_type!;
  return `${call} of ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} ${answer.status}`;
}

describe('the fake server of the simulation', () => {
  const lives = new Map<number, Outcome>();
  // Plays before the real server starts, because a run replaces the clock of the whole process.
  beforeAll(async () => {
    const runner = await loadRunner('replay');
    for (const seed of SEEDS) lives.set(seed, await runner.play(recordedPlan(seed)));
    for (const seed of PORTFOLIO_SEEDS) lives.set(seed, await runner.play(longPlan(seed)));
  });
  const testServer = useTestServer();
  const neighbors: { person: Person; profileId: string }[] = [];

  beforeAll(async () => {
    for (const n of [1, 2, 3]) {
      const person = await testServer.join(`Person u1n${n}`);
      neighbors.push({ person, profileId: (await addProfile(testServer, person, 0, `Stage u1n${n}0`)).id });
    }
  });

  /** Plays it as somebody who stands on the real server as u1 does on the fake. @returns where the two differ */
  async function replay(exchanges: readonly Recorded[], others: Record<string, string> = {}): Promise<string[]> {
    const person = await testServer.join('Person u1');
    const ids: Record<string, string> = { u1: person.id, ...others };
    // The fake counts everything together: profiles of u1 and u2, then those of the neighbors, then who has asked.
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

  it.each([...SEEDS, ...PORTFOLIO_SEEDS])('answers as the real one does: seed %i', async (seed) => {
    const { exchanges, failure } = lives.get(seed)!;
    expect(failure).toBeNull();
    expect(await replay(exchanges)).toEqual([]);
    expect(exchanges.length).toBeGreaterThan(4);
  });

  it('was asked by these lives whatever a person can do', () => {
    const asked = new Set<string>();
    for (const seed of [...SEEDS, ...PORTFOLIO_SEEDS]) {
      for (const exchange of lives.get(seed)!.exchanges) asked.add(nameOf(exchange));
    }
    expect(ASKED.filter((call) => !asked.has(call))).toEqual([]);
  });

  it('parts people as the real one does', async () => {
    const conversation = new Conversation();
    askPeople(conversation);
    expect(await replay(conversation.exchanges)).toEqual([]);
  });

  it('refuses of a portfolio what the real one refuses', async () => {
    const conversation = new Conversation();
    await askPortfolio(conversation);
    expect(await replay(conversation.exchanges, { 3: neighbors[0]!.profileId })).toEqual([]);
  });
});
