import { LOCAL } from '#db/canonical.ts';
import type { MirrorRecord } from '#db/rows.ts';
import { Device, type DeviceHost, type Run } from '../simulation/device.ts';
import { createPrng, mixSeed, type Prng } from '../simulation/prng.ts';
import { Network } from '../simulation/network.ts';
import { Violation } from '../simulation/invariants/violation.ts';
import { Scheduler } from '../simulation/scheduler.ts';
import { toBasicMessage, FakeChat, type StoredMessage } from '../simulation/server/chat-routes.ts';
import { FakeServer } from '../simulation/server/fake-server.ts';
import { BasicApiWatch } from './basic-api-watch.ts';
import { EVENT_OUTCOMES, type ChatPlan } from './plan.ts';

export type ChatDevice = Device<ChatSimulation>;
export type ChatRun = Run<ChatSimulation>;

/** Two people, three devices, one conversation, and a live connection per device that may be broken without notice. */
export class ChatSimulation implements DeviceHost {
  readonly plan: ChatPlan;
  readonly scheduler: Scheduler;
  readonly server: FakeServer;
  readonly network: Network;
  readonly chat = new FakeChat('chat', ['u1', 'u2']);
  readonly devices: ChatDevice[];
  readonly trace: string[] = [];
  readonly hits = new Map<string, number>();
  /** Messages that the app accepted, in order. */
  readonly accepted: {
    device: string;
    userId: string;
    text: string;
    id: string;
    /** The `seq` of the message it answers. */
    replyTo: number | null;
    photo?: { id: string; sha256: string };
  }[] = [];
  readonly discarded = new Set<string>();
  /** Sequence number of the newest message that each person has seen on any device. */
  readonly seen = new Map<string, number>();
  /** Intents to star the conversation, in order. The outcome of a discarded one is unknown. */
  readonly stars: { device: string; wanted: boolean }[] = [];
  /** Only with the basic API. */
  readonly watcher: BasicApiWatch | null;
  faults = 0;
  violation: Error | null = null;
  readonly #sockets = new Set<string>();
  readonly #ticks = new Map<string, { read: number; has: number }>();
  readonly #prng: Prng;

  constructor(plan: ChatPlan) {
    this.plan = plan;
    this.scheduler = new Scheduler(mixSeed(plan.seed, 'order'));
    this.#prng = createPrng(mixSeed(plan.seed, 'events'));
    this.server = new FakeServer(() => this.scheduler.now, { isBasic: plan.isBasic, hasTags: plan.hasTags });
    this.watcher = plan.isBasic ? new BasicApiWatch(() => this.scheduler.now) : null;
    const { store } = this.server;
    for (const user of ['u1', 'u2']) this.server.addUser(user, 1);
    store.chats.set(this.chat.id, this.chat);
    for (const user of ['u1', 'u2']) store.recordChange(user, 'conversation', this.chat.id, null);
    this.chat.onMessage = (stored) => this.#broadcast(stored);
    this.chat.onCursorsAdvanced = (userId) => this.#onCursorsAdvanced(userId);
    this.network = new Network({
      scheduler: this.scheduler,
      server: this.server,
      prng: createPrng(mixSeed(plan.seed, 'network')),
      plan: new Map(plan.faults),
      hooks: {
        onSend: (exchange) => {
          const { ordinal, sender, request, fault } = exchange;
          this.violation ??= this.watcher?.onSend(exchange) ?? null;
          this.note(`#${ordinal} ${sender.device.name} ${request.method} ${request.path}${fault ? ` (${fault})` : ''}`);
          if (fault) this.faults += 1;
        },
        onHandled: (exchange, answer) => {
          this.watcher?.onHandled(exchange, answer);
          this.note(`#${exchange.ordinal} handled: ${answer.status}`);
        },
        onReceived: ({ ordinal }, answer) => this.note(`#${ordinal} answered: ${answer.status}`),
      },
    });
    // The first person's phone and laptop, and the other person's phone.
    this.devices = ['phone', 'laptop', 'theirs'].map((name) => new Device<ChatSimulation>(this, name));
  }

  userOf(device: ChatDevice): string {
    return device.name === 'theirs' ? 'u2' : 'u1';
  }

  changed(): void {
    // The chat simulation does not search for crash points.
  }

  note(line: string): void {
    this.trace.push(`${this.scheduler.now.toFixed(2).padStart(10)} ${line}`);
  }

  hit(what: string): void {
    this.hits.set(what, (this.hits.get(what) ?? 0) + 1);
  }

  /**
   * Checks that every accepted message is pending on its device, sent or discarded. Without idempotency keys messages
   * are compared by text, and a message that is no longer pending must be among the device's messages.
   */
  onCommit(deviceName: string, database: string, stores: ReadonlySet<string>): void {
    if (this.violation || !(stores.has('outbox') || stores.has('messages') || stores.has('records'))) return;
    const device = this.devices.find(({ name }) => name === deviceName)!;
    const userId = this.userOf(device);
    if (stores.has('records')) this.#checkReceipts(device, database);
    if (!stores.has('outbox') && !stores.has('messages')) return;
    if (this.watcher) {
      const rows = device.outbox(userId);
      const stored = this.chat.messages.map(({ message }) => message);
      const onDevice = device.disk.rows<StoredMessage>(device.dbName(userId), 'messages').map(({ message }) => message);
      this.violation =
        this.watcher.lostOn(device, rows, { ...this, stored }) ??
        this.watcher.lostOn(device, rows, { ...this, stored: onDevice });
      return;
    }
    const waiting = new Set(device.outbox(userId).map((row) => row.target));
    const stored = new Set(this.chat.messages.map(({ client_id }) => LOCAL + client_id));
    for (const { id, text } of this.accepted.filter((each) => each.device === deviceName)) {
      if (waiting.has(id) || stored.has(id) || this.discarded.has(id)) continue;
      this.violation = new Violation('1 nothing lost', `${text} is neither on ${database} nor on the server`);
    }
  }

  /** Fails if receipts show more than the server knows, or go back. */
  #checkReceipts(device: ChatDevice, database: string): void {
    if (this.plan.isBasic) return;
    const records = device.disk.rows<MirrorRecord>(database, 'records');
    const body = records.find(({ type, id }) => type === 'conversation' && id === this.chat.id)?.body;
    if (!body) return;
    const theirs = this.chat.members.get(this.chat.otherOf(this.userOf(device)))!;
    const shown = { read: Number(body['other_read_seq'] ?? 0), has: Number(body['other_delivered_seq'] ?? 0) };
    const before = this.#ticks.get(device.name) ?? { read: 0, has: 0 };
    this.#ticks.set(device.name, shown);
    for (const what of ['read', 'has'] as const) {
      if (shown[what] > theirs[what]) {
        this.violation ??= new Violation('receipts', `${device.name} shows ${what} ${shown[what]} of ${theirs[what]}`);
      }
      if (shown[what] < before[what]) {
        this.violation ??= new Violation(
          'receipts',
          `${device.name} showed ${what} ${before[what]}, then ${shown[what]}`,
        );
      }
    }
  }

  watch(work: Promise<unknown>, what: string): void {
    work.catch((error: unknown) => this.reportError(error, what));
  }

  reportError(error: unknown, what: string): void {
    if (error instanceof Violation) this.violation ??= error;
    else this.violation ??= new Violation('engine threw', `in ${what}: ${String((error as Error).stack ?? error)}`);
  }

  /** Breaks the device's socket without notice. Later events do not reach it. */
  closeSocket(device: ChatDevice): void {
    this.#sockets.delete(device.name);
  }

  /** Connects the socket and pulls, so that events may be missed safely. */
  async openSocket(device: ChatDevice): Promise<void> {
    if (!device.isOnline || device.session === null) return;
    this.#sockets.add(device.name);
    await Promise.all(device.alive().map((run) => run.tolerate(() => run.engine.pull())));
  }

  /** Sends a message event to every connected device. */
  #broadcast(stored: StoredMessage): void {
    for (const device of this.devices) {
      if (!this.#sockets.has(device.name)) continue;
      const outcome = this.#prng.chance(this.plan.eventFaultRate) ? this.#prng.pick(EVENT_OUTCOMES) : 'delivered';
      this.hit(`event ${outcome}`);
      if (outcome === 'missed') continue;
      const delays = [20 + this.#prng.int(60)];
      if (outcome === 'doubled') delays.push(100 + this.#prng.int(5000));
      if (outcome === 'late') delays[0] = 1000 + this.#prng.int(20_000);
      for (const ms of delays) this.scheduler.after(ms, () => this.#deliver(device, stored), device.name);
    }
  }

  /** Fails if the server counts an unseen message as read, and sends a receipt event to the other person's devices. */
  #onCursorsAdvanced(userId: string): void {
    const { members, messages } = this.chat;
    const { read, has } = members.get(userId)!;
    const unseen = messages.find(
      ({ sender_id, seq }) => sender_id !== userId && seq <= read && seq > (this.seen.get(userId) ?? 0),
    );
    if (unseen && !this.plan.isBasic) {
      this.violation ??= new Violation('read', `${userId} never saw ${unseen.seq}, which counts as read`);
    }
    const delivered = has;
    for (const device of this.devices) {
      if (this.userOf(device) === userId || !this.#sockets.has(device.name)) continue;
      const outcome = this.#prng.chance(this.plan.eventFaultRate) ? this.#prng.pick(EVENT_OUTCOMES) : 'delivered';
      if (outcome === 'missed') continue;
      const ms = outcome === 'late' ? 1000 + this.#prng.int(20_000) : 20 + this.#prng.int(60);
      const receipt = { conversationId: this.chat.id, delivered, read };
      const deliver = () => {
        if (!this.#sockets.has(device.name) || !device.isOnline) return;
        for (const run of device.alive()) {
          run.whenAwake(() => {
            if (run.isAlive)
              this.watch(
                run.tolerate(() => run.engine.receiveReceipt(receipt)),
                'a receipt',
              );
          });
        }
      };
      this.scheduler.after(ms, deliver, device.name);
      if (outcome === 'doubled') this.scheduler.after(ms + 3000, deliver, device.name);
    }
  }

  /** Records that the person sees the conversation up to this message. */
  recordSeen(device: ChatDevice, newest: number): void {
    const userId = this.userOf(device);
    this.seen.set(userId, Math.max(this.seen.get(userId) ?? 0, newest));
  }

  #deliver(device: ChatDevice, stored: StoredMessage): void {
    if (!this.#sockets.has(device.name) || !device.isOnline) return;
    for (const run of device.alive()) {
      run.whenAwake(() => {
        if (run.isAlive)
          this.watch(
            run.tolerate(() => run.engine.receiveMessage(this.plan.isBasic ? toBasicMessage(stored) : { ...stored })),
            'an event',
          );
      });
    }
  }
}
