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

/** Counts of a round, by the report's names. */
export type Counts = Record<string, number>;

export interface Round {
  /** Runs the round to its end. @throws on any difference */
  play(): Promise<void>;
  counts(): Counts;
  /** Ledgers and trace, for a failed round. */
  report(): string;
  devices(): readonly Device[];
  serverLog(): string;
  dispose(): Promise<void>;
}

const ACTIONS_PER_BROWSER = 16;
const KILLS_PER_BROWSER = 2;
/** A browser is killed at a random time within this, during or just after an action. */
const KILL_WITHIN_MS = 2_500;
const SERVER_KILLS = 2;
/** The server is killed while it processes one of this many writes. */
const KILL_WITHIN_WRITES = 40;
/** The kill comes at a random time within this: before the commit, or before or after the response. */
const KILL_SERVER_WITHIN_MS = 25;

export async function openRound(seed: number): Promise<Round> {
  const trace = openTrace();
  const counts: Counts = { actions: 0, 'browsers killed': 0, 'server killed': 0 };
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
  // Errors about code that fails to load are expected on the first visit only: later the worker has it.
  const errorCounts = new Map(players.map(({ device }) => [device, device.browserErrors().length]));

  proxy.setFaultRates(HEAVY_FAULTS);
  const killing = scheduleServerKills(play);
  await Promise.all(players.map((player) => playBrowser(play, player)));
  await killing.end();

  proxy.setFaultRates(NO_FAULTS);
  await Promise.all(players.map(expectAllSaved));
  // Delayed requests arrive after everything else.
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
  if (wrong.length > 0)
    throw new Error(`Round ${seed}: the server's state differs from the ledger.\n${wrong.join('\n')}`);

  for (const player of players) {
    const member = cast.members.find(({ ledger }) => ledger === player.ledger);
    const there = member && found.get(member);
    if (there === undefined) throw new Error(`No member uses ${player.name}`);
    await expectOnScreen(player, there);
  }
  const errors = players
    .flatMap(({ device }) => device.browserErrors().slice(errorCounts.get(device)))
    .filter((text) => text.startsWith('uncaught:'));
  if (errors.length > 0) throw new Error(`Round ${seed}: the app failed in the browser.\n${errors.join('\n')}`);
}

/** Performs random actions at one browser. */
async function playBrowser({ counts, cast, server }: RoundContext, player: Player): Promise<void> {
  const { prng } = player;
  const killedAt = new Set<number>();
  while (killedAt.size < KILLS_PER_BROWSER) killedAt.add(prng.int(ACTIONS_PER_BROWSER));
  for (let n = 0; n < ACTIONS_PER_BROWSER; n += 1) {
    const isKilled = killedAt.has(n);
    await performAction(player, prng.pick(ACTIONS), isKilled ? prng.int(KILL_WITHIN_MS) : null);
    counts['actions']! += 1;
    if (isKilled) counts['browsers killed']! += 1;
    if (cast.writer && prng.chance(0.2)) await sendFromFriend(cast.writer, cast, player, server);
  }
}

/** Sends a message from the friend without a browser, bypassing the faulty network. */
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
    // The server was killed: the message may be stored or not.
    to.trace.note('friend', `'${message}' may have been stored`);
  }
}

/** Kills the server at random moments while it processes a write, and restarts it on its data. */
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
    // The caller of `end` handles the error.
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
