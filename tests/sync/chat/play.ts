import { LOCAL } from '#db/canonical.ts';
import { conversationView, conversationViews, pendingMessages } from '#db/conversations.ts';
import { messagesBetween, newestSeq } from '#db/messages.ts';
import { createPrng, mixSeed, type Prng } from '../simulation/prng.ts';
import { markerOf } from '../simulation/markers.ts';
import { pickedFile } from '../simulation/person/picked-file.ts';
import { type Failure, runScenario } from '../simulation/run-scenario.ts';
import { fail } from '../simulation/invariants/violation.ts';
import type { BasicApiWatch } from './basic-api-watch.ts';
import type { ChatPlan } from './plan.ts';
import { ChatSimulation, type ChatDevice, type ChatRun } from './simulation.ts';

export interface ChatOutcome {
  plan: ChatPlan;
  failure: Failure;
  trace: string[];
  hits: ReadonlyMap<string, number>;
  requests: number;
  messages: number;
  faults: number;
}

const HEALING_MS = 11 * 60_000;
const STEP_LIMIT = 150_000;
const LONGEST_RATE_LIMIT_MS = 65_000;
/** Number of newest messages that every device has without fetching history. */
const NEWEST = 5;

/** Plays one chat plan from a fresh install until all work is done and returns what broke. */
export async function playChat(plan: ChatPlan): Promise<ChatOutcome> {
  const simulation = new ChatSimulation(plan);
  const failure = await runScenario(simulation, () => new ChatScenario(simulation).run());
  const { trace, hits, network, chat } = simulation;
  return {
    plan,
    failure,
    trace,
    hits,
    requests: network.ordinal,
    messages: chat.messages.length,
    faults: simulation.faults,
  };
}

class ChatScenario {
  readonly #simulation: ChatSimulation;
  #count = 0;

  constructor(simulation: ChatSimulation) {
    this.#simulation = simulation;
  }

  async run(): Promise<void> {
    await this.#begin();
    await this.#runActs();
    await this.#heal();
    await this.#checkResult();
  }

  async #until(at: number, stop?: () => boolean): Promise<void> {
    const { scheduler } = this.#simulation;
    await scheduler.runUntil(at, () => {
      if (scheduler.steps > STEP_LIMIT) fail('15 liveness', 'the engine never stops');
      return this.#simulation.violation !== null || (stop?.() ?? false);
    });
    if (this.#simulation.violation) throw this.#simulation.violation;
  }

  #start(device: ChatDevice, work: () => Promise<unknown>, what: string): Promise<void> {
    return this.#simulation.scheduler.begin(device.name, () => this.#simulation.watch(work(), what));
  }

  async #signIn(device: ChatDevice): Promise<void> {
    const { server } = this.#simulation;
    const userId = this.#simulation.userOf(device);
    device.session = { userId, token: server.signIn(userId) };
    if (device.alive().length === 0) device.open('tab', userId);
    for (const run of device.alive()) await run.tolerate(() => run.engine.signedIn());
    await this.#simulation.openSocket(device);
  }

  async #begin(): Promise<void> {
    const { devices, network, scheduler } = this.#simulation;
    network.isHealthy = true;
    for (const device of devices) await this.#start(device, () => this.#signIn(device), 'first sign-in');
    await this.#until(scheduler.now + 3000);
    network.isHealthy = false;
    network.ordinal = 0;
  }

  async #runActs(): Promise<void> {
    const { plan, scheduler, devices } = this.#simulation;
    const start = scheduler.now;
    for (const act of plan.acts) {
      const device = devices[act.device]!;
      const perform = () => this.#simulation.watch(this.#perform(act.kind, device, createPrng(act.throw)), act.kind);
      scheduler.after(act.at, perform, device.name);
    }
    await this.#until(start + (plan.acts.at(-1)?.at ?? 0) + 2000 + createPrng(mixSeed(plan.seed, 'tail')).int(20_000));
  }

  /** Stores a photo first, as the screen does, and then sends it with a text. */
  async #writePhoto(device: ChatDevice, page: ChatRun, prng: Prng): Promise<void> {
    const { file, sha256 } = pickedFile(prng, (this.#count += 1));
    const { id } = await page.engine.importFile(file);
    await this.#write(device, page, prng, { id, sha256 });
  }

  async #write(device: ChatDevice, page: ChatRun, prng: Prng, photo?: { id: string; sha256: string }): Promise<void> {
    const userId = this.#simulation.userOf(device);
    const other = userId === 'u1' ? 'u2' : 'u1';
    // Repeated texts are the hard case, above all without client ids.
    const isRepeated = prng.chance(this.#simulation.plan.isBasic ? 0.6 : 0.3);
    const view = await conversationView(page.db, this.#simulation.chat.id);
    if (view?.last) this.#simulation.recordSeen(device, view.last.seq);
    const text = isRepeated ? `Ok of ${device.name}` : `Line ${markerOf((this.#count += 1))} of ${device.name}`;
    const to = { conversationId: this.#simulation.chat.id, userId: other, name: 'Somebody' };
    // Every third message answers the newest one on the screen. No draw: the runs of older seeds stay the same.
    const replyTo = view?.last && this.#simulation.accepted.length % 3 === 2 ? view.last.seq : null;
    const reply = replyTo === null ? {} : { reply_to: replyTo };
    const { id } = await page.engine.sendMessage(to, { message: text, ...reply }, photo?.id);
    this.#simulation.accepted.push({ device: device.name, userId, text, id, replyTo, ...(photo && { photo }) });
  }

  async #perform(kind: ChatPlan['acts'][number]['kind'], device: ChatDevice, prng: Prng): Promise<unknown> {
    const { chat, plan, server, scheduler } = this.#simulation;
    this.#simulation.note(`act ${kind} on ${device.name}`);
    const page = device.alive().find((run) => run.kind !== 'worker');
    const inPage = (work: (page: ChatRun) => Promise<unknown>) => page && page.tolerate(() => work(page));
    switch (kind) {
      case 'write':
        return inPage((run) => this.#write(device, run, prng));
      case 'write many':
        return inPage(async (run) => {
          for (let n = 2 + prng.int(6); n > 0; n -= 1) await this.#write(device, run, prng);
        });
      case 'photo':
        return inPage((run) =>
          // The basic API accepts no photos.
          plan.isBasic ? this.#write(device, run, prng) : this.#writePhoto(device, run, prng),
        );
      case 'read':
        return inPage(async (run) => {
          const view = await conversationView(run.db, chat.id);
          if (!view?.last) return;
          this.#simulation.recordSeen(device, view.last.seq);
          await run.engine.markRead(chat.id, view.last.seq);
        });
      case 'star':
        if (this.#simulation.plan.isBasic) return;
        return inPage(async (run) => {
          const wanted = prng.chance(0.5);
          await run.engine.setConversationToggle('starred', { id: chat.id, name: 'Somebody' }, wanted);
          await run.engine.setConversationToggle('pinned', { id: chat.id, name: 'Somebody' }, wanted);
          this.#simulation.stars.push({ device: device.name, wanted });
        });
      case 'pull':
        return inPage((run) => run.engine.pull());
      case 'older':
        return inPage((run) =>
          run.engine.fetchHistory({ id: chat.id, connectionId: `c${chat.id}` }, { before: 1 + prng.int(20) }, 4),
        );
      case 'offline':
        device.isOnline = false;
        this.#simulation.closeSocket(device);
        return;
      case 'online':
        device.isOnline = true;
        for (const run of device.alive()) run.engine.wake('online');
        return this.#simulation.openSocket(device);
      case 'crash':
      case 'crash all': {
        const victims = kind === 'crash' ? device.alive().slice(0, 1) : device.alive();
        scheduler.after(prng.int(60), () => victims.forEach((run) => run.crash()), device.name);
        return;
      }
      case 'open page':
        if (device.session && device.alive().length < 3) {
          device.open(prng.pick(['tab', 'second tab', 'worker'] as const), device.session.userId);
        }
        return;
      case 'socket dies':
        return this.#simulation.closeSocket(device);
      case 'socket back':
        return this.#simulation.openSocket(device);
      case 'cure':
        return inPage((run) => this.#resolve(device, run, prng));
      case 'token dies':
        if (device.session) server.revoke(device.session.token);
        return;
      case 'cursor dies':
        server.store.cursorGeneration += 1;
        return;
    }
  }

  /** Sends a refused message again or discards it. */
  async #resolve(device: ChatDevice, run: ChatRun, prng: Prng): Promise<void> {
    const [row] = device.outbox(this.#simulation.userOf(device)).filter(({ state }) => state === 'attention');
    if (!row) return;
    if (row.reason === 'unsure' && prng.chance(0.3)) return run.engine.checkIfSent(row.op);
    if (prng.chance(0.6)) {
      this.#simulation.watcher?.allow(row);
      return run.engine.sendAgain(row.op);
    }
    // A discarded message may have arrived if its response was lost. Discarding a photo discards its message.
    const carrier = device.outbox(this.#simulation.userOf(device)).find(({ deps }) => deps.includes(row.target));
    this.#simulation.discarded.add((carrier ?? row).target);
    return run.engine.discard(row.op);
  }

  #isAtRest(): boolean {
    const { devices, network, scheduler } = this.#simulation;
    if (network.inFlight > 0 || scheduler.hasTasks()) return false;
    return devices.every((device) => {
      const rows = device.outbox(this.#simulation.userOf(device));
      const stuck = new Set(rows.filter(({ state }) => state === 'attention').map(({ lane }) => lane));
      for (const { lane, deps } of rows) if (deps.some((dep) => stuck.has(`upload:${dep}`))) stuck.add(lane);
      return rows.every((row) => stuck.has(row.lane));
    });
  }

  /** Restores the network. Unblocked changes must be sent without further input, and the person resolves the others. */
  async #heal(): Promise<void> {
    const { devices, network, server, scheduler, plan } = this.#simulation;
    network.isHealthy = true;
    server.burst = 0;
    server.rateLimitedUntil.clear();
    this.#simulation.note('--- network healthy');
    for (const device of devices) {
      device.isOnline = true;
      if (device.alive().every((run) => run.kind === 'worker')) device.open('tab', this.#simulation.userOf(device));
      await this.#start(device, () => this.#signIn(device), 'sign in again');
      for (const run of device.alive()) await scheduler.begin(device.name, () => run.engine.wake('online'));
    }
    const prng = createPrng(mixSeed(plan.seed, 'cures'));
    for (let round = 0; round < 60; round += 1) {
      await this.#until(scheduler.now + HEALING_MS, () => this.#isAtRest());
      const open = devices.filter((device) => device.outbox(this.#simulation.userOf(device)).length > 0);
      if (open.length === 0) return;
      if (round > 40) server.refusals.clear();
      for (const device of open) {
        const page = device.alive().find((run) => run.kind !== 'worker')!;
        await this.#start(device, () => this.#resolve(device, page, prng), 'a cure');
      }
    }
    fail('4 visible or moving', 'a message stays queued, whatever the person does');
  }

  async #checkResult(): Promise<void> {
    const { devices, scheduler } = this.#simulation;
    // Every rate limit has ended by then.
    await this.#until(scheduler.now + LONGEST_RATE_LIMIT_MS);
    // A reconnected socket triggers a pull. The second round fetches what the first made other devices report.
    for (let round = 0; round < 2; round += 1) {
      for (const device of devices) {
        const page = device.alive().find((run) => run.kind !== 'worker')!;
        await this.#start(device, () => page.engine.pull(), 'a last pull');
      }
      await this.#until(scheduler.now + 60_000, () => this.#simulation.network.inFlight === 0 && !scheduler.hasTasks());
    }
    if (this.#simulation.watcher) this.#checkBasicMessages(this.#simulation.watcher);
    else this.#checkMessages();
    for (const userId of ['u1', 'u2']) this.#checkStar(userId);
    for (const device of devices) await this.#compare(device);
  }

  /** Checks by client id that each message arrived once, complete and in order. Texts may repeat. */
  #checkMessages(): void {
    const { devices, chat, accepted, discarded } = this.#simulation;
    const stored = new Map(chat.messages.map((message) => [LOCAL + String(message.client_id), message]));
    if (stored.size !== chat.messages.length) fail('2 at most once', 'a message was stored twice');
    for (const { id, text, photo, replyTo } of accepted) {
      const message = stored.get(id);
      if (!message && !discarded.has(id)) fail('1 nothing lost', `${text} was never stored`);
      if (message && message.message !== text) fail('1 nothing lost', `${text} was stored as ${message.message}`);
      if (message && message.reply_to !== replyTo) fail('1 nothing lost', `${text} answers another message`);
      if (message && message.media?.sha256 !== photo?.sha256) {
        fail('16 upload integrity', `${text} has another photo`);
      }
    }
    for (const device of devices) {
      const wanted = accepted.filter((each) => each.device === device.name && stored.has(each.id)).map(({ id }) => id);
      const order = [...stored.keys()].filter((id) => wanted.includes(id));
      if (String(order) !== String(wanted)) {
        const words = (ids: readonly string[]) => ids.map((id) => stored.get(id)!.message).join(', ');
        fail('5 lane order', `${device.name} wrote ${words(wanted)}; the server has ${words(order)}`);
      }
    }
  }

  /**
   * Checks that each message arrived as often as it was written and in order, except where only idempotency keys could
   * tell.
   */
  #checkBasicMessages({ doubled, lostOn }: BasicApiWatch): void {
    const { devices, chat, accepted, discarded } = this.#simulation;
    const stored = chat.messages.map(({ message }) => message);
    for (const device of devices) {
      const lost = lostOn(device, [], { accepted, discarded, stored });
      if (lost) throw lost;
      const own = accepted.filter((each) => each.device === device.name);
      const given = new Set(own.filter(({ id }) => discarded.has(id)).map(({ text }) => text));
      const isSure = (text: string) => !doubled.has(text) && !given.has(text);
      const wanted = own.map(({ text }) => text).filter(isSure);
      const actual = stored.filter((text) => text.endsWith(` of ${device.name}`)).filter(isSure);
      if (String(actual) !== String(wanted)) {
        fail('5 lane order', `${device.name} wrote ${wanted.join(', ')}; the server has ${actual.join(', ')}`);
      }
    }
  }

  /** Checks that the star matches the last intent, if all intents came from one device. */
  #checkStar(userId: string): void {
    const { chat, devices, discarded, stars } = this.#simulation;
    const own = devices.filter((device) => this.#simulation.userOf(device) === userId).map(({ name }) => name);
    const intents = stars.filter(({ device }) => own.includes(device));
    const isOfOne = new Set(intents.map(({ device }) => device)).size === 1;
    if (!isOfOne || discarded.has(chat.id)) return;
    const { isStarred, isPinned } = chat.members.get(userId)!;
    const { wanted } = intents.at(-1)!;
    if (isStarred !== wanted || isPinned !== wanted)
      fail('3 convergence', `the star or pin of ${userId} does not match the last intent`);
  }

  /** Checks that the device has the server's messages, counts and receipts. */
  async #compare(device: ChatDevice): Promise<void> {
    const { accepted, chat, scheduler } = this.#simulation;
    const page = device.alive().find((run) => run.kind !== 'worker')!;
    const total = chat.messages.length;
    await scheduler.runAlone(device.name, async () => {
      const newest = await messagesBetween(page.db, chat.id, Math.max(1, total - NEWEST + 1), Infinity);
      if (newest.length !== Math.min(NEWEST, total))
        fail('same list', `${device.name} lacks some of the newest messages messages messages`);
    });
    for (let before = total + 1; before > 1; before -= 4) {
      let isDone = false;
      const fetch = () => page.engine.fetchHistory({ id: chat.id, connectionId: `c${chat.id}` }, { before }, 4);
      await this.#start(device, () => fetch().then(() => void (isDone = true)), 'older messages');
      await this.#until(scheduler.now + 60_000, () => isDone);
    }
    await scheduler.runAlone(device.name, async () => {
      const here = await messagesBetween(page.db, chat.id, 0, Infinity);
      const actual = here.map(({ seq, message }) => `${seq} ${message}`);
      const wanted = chat.messages.map(({ seq, message }) => `${seq} ${message}`);
      if (String(actual) !== String(wanted)) fail('same list', `${device.name} has ${actual.join('; ')}`);
      const view = await conversationView(page.db, chat.id);
      const userId = this.#simulation.userOf(device);
      const own = chat.members.get(userId)!;
      if (view === null) fail('same list', `${device.name} has no conversation`);
      if (view.last?.seq !== chat.messages.at(-1)?.seq) fail('same list', `${device.name} shows an old last message`);
      const unread = chat.countUnread(userId);
      if (!this.#simulation.plan.isBasic && view.unread !== unread) {
        fail('read', `${device.name} shows ${view.unread} unread; the server counts ${unread}`);
      }
      const theirs = chat.members.get(chat.otherOf(userId))!;
      if (!this.#simulation.plan.isBasic && (view.otherRead !== theirs.read || view.otherHas !== theirs.has)) {
        fail(
          'receipts',
          `${device.name} shows ${view.otherRead} read, ${view.otherHas} delivered; the server has ${theirs.read}, ${theirs.has}`,
        );
      }
      if ((view.toggles.starred.value ?? false) !== own.isStarred)
        fail('3 convergence', `${device.name} shows another star than the server`);
      const [listed] = await conversationViews(page.db);
      if (listed?.unread !== view.unread) {
        fail('read', `the unread counts of ${device.name} differ`);
      }
      if ((await newestSeq(page.db, chat.id)) !== total)
        fail('same list', `${device.name} has an older newest message`);
      for (const { photo, text } of accepted) {
        if (photo === undefined || (await page.db.media.get(photo.id)) === undefined) continue;
        fail('11 bytes released', `${device.name} still stores the photo of ${text}`);
      }
      if ((await pendingMessages(page.db, chat.id)).length > 0)
        fail('same list', `${device.name} shows a pending message`);
      const reading = await page.db.readings.get(chat.id);
      if (reading && reading.read > (this.#simulation.plan.isBasic ? total : own.read))
        fail('read', `${device.name} never reported that it read ${reading.read}`);
    });
  }
}
