import type { Device, Run } from '../device.ts';
import { createPrng, type Prng } from '../prng.ts';
import { PORTAL_STATUSES } from '../network.ts';
import type { Act, ActKind, ScriptAct } from '../plan.ts';
import { addNotification, raiseAgain } from '../server/people-routes.ts';
import type { Simulation } from '../simulation.ts';
import { Resolver } from './resolver.ts';
import { LISTS } from './texts.ts';
import { webDelete, webEdit } from './web.ts';
import { Writer } from './writer.ts';

type Write = (person: Person, page: Run, prng: Prng) => Promise<unknown>;

/** Acts that the person does in a page of the app. */
const WRITES = {
  create: ({ writer }, page, prng) => writer.create(page, prng),
  'add row': ({ writer }, page, prng) => writer.create(page, prng, prng.pick(LISTS)),
  'create profile': ({ writer }, page, prng) => writer.createProfile(page, prng),
  toggle: ({ writer }, page, prng) => writer.toggle(page, prng),
  edit: ({ writer }, page, prng) =>
    writer.edit(page, prng, prng.pick(['experience', 'experience', 'skill', prng.pick(LISTS)])),
  'edit slowly': ({ writer }, page, prng) =>
    writer.edit(page, prng, prng.pick(['experience', 'skill', 'profile', 'about_me', 'attribute', 'media']), true),
  'edit profile': ({ writer }, page, prng) => writer.edit(page, prng, 'profile'),
  'edit about': ({ writer }, page, prng) => writer.edit(page, prng, 'about_me'),
  'edit set': ({ writer }, page, prng) => writer.edit(page, prng, 'attribute'),
  delete: ({ writer }, page, prng) => writer.remove(page, prng, false),
  'delete and undo': ({ writer }, page, prng) => writer.remove(page, prng, true),
  'add photo': ({ writer }, page, prng) => writer.photo(page, prng),
  'add media': ({ writer }, page, prng) => writer.media(page, prng, prng.pick(['video', 'audio', 'document'])),
  'add link': ({ writer }, page, prng) => writer.link(page, prng),
  'edit media': ({ writer }, page, prng) => writer.edit(page, prng, 'media'),
  'save media': ({ writer }, page, prng) => writer.saveMedia(page, prng),
  'set avatar': ({ writer }, page, prng) => writer.avatar(page, prng),
  cure: ({ resolver }, page, prng) => resolver.resolveOne(page, prng),
  save: ({ writer }, page, prng) => writer.save(page, prng),
  connect: ({ writer }, page, prng) => writer.connect(page, prng),
  part: ({ writer }, page, prng) => writer.part(page, prng),
  'look at news': ({ writer }, page, prng) => writer.viewNotifications(page, prng),
  'write a lot': ({ writer }, page) => writer.writeALot(page),
  'gone at once': ({ writer }, page, prng) => writer.createAndLose(page, prng),
  'write and die': ({ writer }, page, prng) => writer.create(page, prng).then(() => page.crash()),
} satisfies Partial<Record<ActKind, Write>>;

/** The person at the devices. Performs the plan's acts; the simulation records what the app confirms. */
export class Person {
  readonly writer: Writer;
  readonly resolver: Resolver;
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.writer = new Writer(simulation);
    this.resolver = new Resolver(simulation, this.writer);
  }

  /** Starts an act, which continues in the background. */
  act(act: Act): void {
    const device = this.#simulation.deviceOf(act);
    const prng = createPrng(act.throw);
    this.#simulation.note(`act ${act.kind} on ${device.name}`);
    this.#simulation.watch(this.#perform(act.kind, device, prng), act.kind);
  }

  async #perform(kind: ActKind, device: Device, prng: Prng): Promise<unknown> {
    const { server, scheduler, invariants, plan } = this.#simulation;
    const { session } = device;
    const alive = device.alive();
    const page = this.pageOf(device, prng);
    const write: Write | undefined = kind in WRITES ? WRITES[kind as keyof typeof WRITES] : undefined;
    // Reading before a write may meet a storage fault. A save must not fail without reporting it.
    if (write) return page && page.tolerate(() => write(this, page, prng));
    switch (kind as Exclude<ActKind, keyof typeof WRITES>) {
      case 'look':
        this.#simulation.requestScreenCheck(device);
        return;
      case 'pull':
        return page && page.tolerate(() => page.engine.pull());
      case 'try now':
        return page && page.tolerate(() => page.engine.tryNow());
      case 'offline':
        device.isOnline = false;
        return;
      case 'online':
        device.isOnline = true;
        for (const run of alive) run.engine.wake('online');
        return;
      case 'crash': {
        // Crashes some steps later, in the middle of other work.
        const victim = alive.length > 0 ? prng.pick(alive) : null;
        if (victim) this.#simulation.afterSteps(prng.int(60), () => this.#crash([victim]));
        return;
      }
      case 'crash all':
        this.#simulation.afterSteps(prng.int(60), () => this.#crash(device.alive()));
        return;
      case 'close page': {
        const run = alive[0];
        if (!run) return;
        invariants.wire.disturbAll();
        return run.leave();
      }
      case 'open page':
        if (session && alive.length < 3) {
          device.open(prng.pick(['tab', 'second tab', 'worker'] as const), session.userId);
        }
        return;
      case 'freeze': {
        const run = alive[0];
        if (!run) return;
        run.freeze();
        this.#simulation.hit('act freeze');
        invariants.wire.disturbAll();
        scheduler.after(1000 + prng.int(90_000), () => run.thaw(), device.name);
        return;
      }
      case 'web edit':
        webEdit(this.#simulation, prng);
        return;
      case 'web delete':
        webDelete(this.#simulation, prng);
        return;
      case 'clock jump':
        device.jumpClock(prng.pick([-1, 1]) * prng.pick([90_000, 3_600_000, 365 * 24 * 3_600_000]));
        return;
      case 'storage trouble':
        if (alive.length > 0) {
          prng.pick(alive).storage.fault = {
            kind: prng.pick(['QuotaExceededError', 'UnknownError', 'closed'] as const),
            after: prng.int(6),
            times: 1 + prng.int(3),
          };
        }
        return;
      case 'store deleted':
        if (!session || !page) return;
        // Usually the store has unsent changes and the phone was idle for a while.
        if (prng.chance(0.7)) {
          device.isOnline = false;
          for (let n = prng.int(3); n >= 0; n -= 1) await page.tolerate(() => this.writer.create(page, prng));
          await this.#simulation.pause(1500 + prng.int(3000), device.name);
        }
        this.#simulation.evictions.evict(device, session.userId, prng);
        return;
      case 'answer unkeepable':
        // The basic API has no uploads: the file is sent with its record, and the upload row exists only on the device.
        device.disk.isNextUnstorable = !plan.isForeign;
        return;
      case 'commit unreported':
        if (page) page.storage.fault = { kind: 'unreported', after: prng.int(4), times: 1 };
        return;
      case 'connections closed':
        for (const run of alive) run.storage.closeAll();
        return;
      case 'versionchange':
        for (const run of alive) run.storage.versionChange();
        return;
      case 'token dies':
        if (session) server.revoke(session.token);
        return;
      case 'sign in again':
        if (session) await this.signIn(device, session.userId);
        return;
      case 'sign out, keep':
        this.#signOut(device, prng);
        return;
      case 'other signs in':
        if (session?.userId === this.#simulation.people.other || plan.isForeign) return;
        // Often some changes are unsent.
        if (page && prng.chance(0.5)) await page.tolerate(() => this.writer.create(page, prng));
        this.#signOut(device, prng);
        await this.signIn(device, this.#simulation.people.other);
        return;
      case 'sign in back':
        if (session?.userId === this.#simulation.people.main) return;
        this.#signOut(device, prng);
        await this.signIn(device, this.#simulation.people.main);
        return;
      case 'news comes':
        raiseAgain(server.store, this.#simulation.people.main);
        for (let n = prng.int(4); n >= 0; n -= 1) addNotification(server.store, this.#simulation.people.main);
        return;
      case 'address unconfirmed':
        if (!plan.isForeign) server.store.unconfirmed.add(this.#simulation.people.main);
        return;
      case 'confirm address':
        server.store.unconfirmed.clear();
        // Often the link is opened on another device, which this one is not told.
        return page && prng.chance(0.5) ? page.tolerate(() => page.engine.tryNow()) : undefined;
      case 'cursor forgotten':
        server.store.cursorGeneration += 1;
        return;
      case 'seal':
        return page && page.tolerate(() => this.#simulation.sealedFiles.seal(page));
      case 'open file':
        return page && page.tolerate(() => this.#simulation.sealedFiles.open(page, prng));
      case 'device lost':
        this.#simulation.sealedFiles.lose(device);
        return;
      case 'portal':
        device.portal = prng.pick(PORTAL_STATUSES);
        scheduler.after(2000 + prng.int(40_000), () => void (device.portal = null), device.name);
        return;
    }
  }

  #crash(runs: readonly Run[]): void {
    this.#simulation.invariants.wire.disturbAll();
    for (const run of runs) run.crash();
  }

  /** Ends pages at once or in an orderly way. A worker that was not notified may continue. */
  #signOut(device: Device, prng: Prng): void {
    device.session = null;
    for (const run of device.alive()) {
      if (prng.chance(run.kind === 'worker' ? 0.6 : 0.4)) continue;
      if (prng.chance(0.5)) this.#crash([run]);
      else this.#simulation.watch(run.leave(), 'sign out');
    }
  }

  async signIn(device: Device, userId: string): Promise<void> {
    device.session = { token: this.#simulation.server.signIn(userId), userId };
    const page = device.inUse(userId)[0] ?? device.open('tab', userId);
    const { faultCount } = page.storage;
    // If the page crashes meanwhile, the other pages continue to show the banner.
    device.mustSignInAgain = true;
    await page.tolerate(() => page.engine.signedIn());
    device.mustSignInAgain = page.storage.faultCount > faultCount;
  }

  /** Returns a page to act in and opens one if there is none. Null while nobody is signed in. */
  pageOf(device: Device, prng: Prng): Run | null {
    if (!device.session) return null;
    const { userId } = device.session;
    const pages = device.inUse(userId).filter((run) => run.kind !== 'worker');
    return pages.length > 0 ? prng.pick(pages) : device.open('tab', userId);
  }

  /** Performs one act of a script, always on the same record. */
  async perform(act: ScriptAct, page: Run): Promise<void> {
    const prng = createPrng(1);
    if (act === 'create') return this.writer.create(page, prng, 'experience');
    if (act === 'edit') return this.writer.edit(page, prng, 'experience');
    if (act === 'photo') return this.writer.photo(page, prng);
    if (act === 'video' || act === 'audio' || act === 'document') return this.writer.media(page, prng, act);
    return this.writer.remove(page, prng, false, 'experience');
  }
}
