import { type Device, openDevice } from '../e2e/support/device.ts';
import { type AppServer, appServer } from '../e2e/support/server.ts';
import { createPrng, mixSeed } from '../sync/simulation/prng.ts';
import { ACTIONS } from './actions.ts';
import { type Participants, makeParticipants, type Member } from './participants.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { FIRST_LOAD, NO_FAULTS, HEAVY_FAULTS } from './faults.ts';
import type { ServerState } from './ledger.ts';
import { openFirstTime, performAction, type Player } from './player.ts';
import { expectAllSaved, expectOnScreen } from './screen-checks.ts';
import { openTrace, type Trace } from './trace.ts';
import { PHRASES, readMember } from './server-state.ts';

/** What a round counted, by the names of the report. */
export type Counts = Record<string, number>;

export interface Round {
  /** Plays it to its end. @throws what was wrong */
  play(): Promise<void>;
  counts(): Counts;
  /** For a failed round: what was written, and what happened in which order. */
  report(): string;
  devices(): readonly Device[];
  serverLog(): string;
  dispose(): Promise<void>;
}

const ACTS_PER_BROWSER = 16;
const KILLS_PER_BROWSER = 2;
/** A browser dies while it does something: from its first moment to after its end. */
const KILL_WITHIN_MS = 2_500;
const SERVER_KILLS = 2;
/** The server dies while it works on one of the first so many changes. */
const KILL_WITHIN_WRITES = 40;
/** It has time to begin, to commit or to answer. */
const KILL_SERVER_WITHIN_MS = 25;

export async function openRound(seed: number): Promise<Round> {
  const trace = openTrace();
  const counts: Counts = { acts: 0, 'browsers killed': 0, 'server killed': 0 };
  const server = await appServer();
  await server.start();
  const cast = await makeParticipants(server.url, seed);
  const proxy = await startFaultProxy(server.port, createPrng(mixSeed(seed, 'network')), trace);
  const players: Player[] = [];
  for (const { name, member, friend, ...part } of cast.browsers) {
    const device = await openDevice({ url: proxy.url, shape: name, wasServerDown: () => true });
    players.push({
      ...part,
      name,
      device,
      person: member.person,
      profileId: member.profileId,
      ledger: member.ledger,
      trace,
      conversation: cast.conversation,
      friend: friend.person,
      phrases: PHRASES[name],
      count: 0,
    });
  }
  return {
    play: () => playRound({ seed, trace, counts, server, cast, proxy, players }),
    counts: () => ({ ...counts, requests: proxy.requests(), ...Object.fromEntries(proxy.getFaultCounts()) }),
    report: () => {
      const ledgers = cast.members.map(({ person, ledger }) => `Ledger of ${person.name}\n${ledger}`);
      return [...ledgers, `Trace\n${trace}`].join('\n\n');
    },
    devices: () => players.map(({ device }) => device),
    serverLog: () => server.log(),
    async dispose() {
      for (const { device } of players) await device.dispose();
      await proxy.close();
      await server.dispose();
    },
  };
}

interface RoundContext {
  seed: number;
  trace: Trace;
  counts: Counts;
  server: AppServer;
  cast: Participants;
  proxy: FaultProxy;
  players: Player[];
}

async function playRound(play: RoundContext): Promise<void> {
  const { seed, cast, proxy, players, server } = play;
  proxy.setFaultRates(FIRST_LOAD);
  await Promise.all(players.map(openFirstTime));
  // Code that does not come to a first visit is complained of; one that is stored here must always be there.
  const complaints = new Map(players.map(({ device }) => [device, device.browserErrors().length]));

  proxy.setFaultRates(HEAVY_FAULTS);
  const killing = scheduleServerKills(play);
  await Promise.all(players.map((player) => playBrowser(play, player)));
  await killing.end();

  proxy.setFaultRates(NO_FAULTS);
  await Promise.all(players.map(expectAllSaved));
  // What was still under way arrives behind everything else.
  await proxy.drain();
  await Promise.all(players.map(expectAllSaved));

  const found = new Map<Member, ServerState>();
  const wrong: string[] = [];
  for (const member of cast.members) {
    const { person, profileId, ledger, strangers } = member;
    const there = await readMember(server.url, person, profileId, cast.conversation, strangers);
    found.set(member, there);
    wrong.push(...ledger.compare(there).map((sentence) => `${person.name}: ${sentence}`));
  }
  if (wrong.length > 0) throw new Error(`Round ${seed}: the server has not what was written.\n${wrong.join('\n')}`);

  for (const player of players) {
    const member = cast.members.find(({ ledger }) => ledger === player.ledger);
    const there = member && found.get(member);
    if (there === undefined) throw new Error(`Nobody sits at ${player.name}`);
    await expectOnScreen(player, there);
  }
  const trouble = players
    .flatMap(({ device }) => device.browserErrors().slice(complaints.get(device)))
    .filter((text) => text.startsWith('uncaught:'));
  if (trouble.length > 0) throw new Error(`Round ${seed}: the app failed in the browser.\n${trouble.join('\n')}`);
}

/** Draws and does what somebody does at one browser. */
async function playBrowser({ counts, cast, server }: RoundContext, player: Player): Promise<void> {
  const { prng } = player;
  const killedAt = new Set<number>();
  while (killedAt.size < KILLS_PER_BROWSER) killedAt.add(prng.int(ACTS_PER_BROWSER));
  for (let n = 0; n < ACTS_PER_BROWSER; n += 1) {
    const isKilled = killedAt.has(n);
    await performAction(player, prng.pick(ACTIONS), isKilled ? prng.int(KILL_WITHIN_MS) : null);
    counts['acts']! += 1;
    if (isKilled) counts['browsers killed']! += 1;
    if (cast.writer && prng.chance(0.2)) await sendFromFriend(cast.writer, cast, player, server);
  }
}

/** The friend at no browser says something, past the network with the faults. */
async function sendFromFriend(
  { person, ledger }: Member,
  cast: Participants,
  { prng, ...to }: Player,
  server: AppServer,
) {
  if (!server.isRunning()) return;
  const message = prng.pick(PHRASES.friend);
  const done = ledger.addMessage('friend', message);
  const body = { conversation_id: cast.conversation, receiver_id: String(to.person.id), message };
  try {
    const { status } = await person.call('POST', '/chat/send', body);
    if (status === 201) done();
  } catch {
    // The server was killed meanwhile: said or not.
    to.trace.note('friend', `nobody knows whether '${message}' was said`);
  }
}

/** Kills the server at drawn moments, each time while it works on a change, and starts it again on its data. */
function scheduleServerKills({ seed, server, proxy, trace, counts }: RoundContext) {
  const prng = createPrng(mixSeed(seed, 'server'));
  let last = Promise.resolve();
  const kill = () => {
    last = last.then(async () => {
      trace.note('server', 'SIGKILL');
      counts['server killed']! += 1;
      await server.kill();
      await server.start();
      trace.note('server', 'runs again');
    });
    // Reported by the end of the acts.
    last.catch(() => undefined);
  };
  let at = 0;
  for (let n = 0; n < SERVER_KILLS; n += 1) {
    at += 5 + prng.int(KILL_WITHIN_WRITES);
    const afterMs = prng.int(KILL_SERVER_WITHIN_MS);
    proxy.onWrite(at, () => setTimeout(kill, afterMs));
  }
  return { end: () => last };
}
