import type { Device, Run } from '../device.ts';
import { dice, type Dice } from '../prng.ts';
import { PORTAL_STATUSES } from '../network.ts';
import type { Act, ActKind, ScriptAct } from '../plan.ts';
import { addNews } from '../server/people-routes.ts';
import type { World } from '../simulation.ts';
import { Mender } from './resolver.ts';
import { LISTS } from './texts.ts';
import { webDelete, webEdit } from './web.ts';
import { Writer } from './writer.ts';

type Write = (person: Person, page: Run, throws: Dice) => Promise<unknown>;

/** Acts in a page of the app. */
const WRITES = {
  create: ({ writer }, page, throws) => writer.create(page, throws),
  'add row': ({ writer }, page, throws) => writer.create(page, throws, throws.pick(LISTS)),
  'create profile': ({ writer }, page, throws) => writer.createProfile(page, throws),
  toggle: ({ writer }, page, throws) => writer.toggle(page, throws),
  edit: ({ writer }, page, throws) =>
    writer.edit(page, throws, throws.pick(['experience', 'experience', 'skill', throws.pick(LISTS)])),
  'edit profile': ({ writer }, page, throws) => writer.edit(page, throws, 'profile'),
  'edit about': ({ writer }, page, throws) => writer.edit(page, throws, 'about_me'),
  'edit set': ({ writer }, page, throws) => writer.edit(page, throws, 'attribute'),
  delete: ({ writer }, page, throws) => writer.remove(page, throws, false),
  'delete and undo': ({ writer }, page, throws) => writer.remove(page, throws, true),
  'add photo': ({ writer }, page, throws) => writer.photo(page, throws),
  'add media': ({ writer }, page, throws) => writer.media(page, throws, throws.pick(['video', 'audio', 'document'])),
  'add link': ({ writer }, page, throws) => writer.link(page, throws),
  'edit media': ({ writer }, page, throws) => writer.edit(page, throws, 'media'),
  'save media': ({ writer }, page, throws) => writer.saveMedia(page, throws),
  'set avatar': ({ writer }, page, throws) => writer.avatar(page, throws),
  cure: ({ mender }, page, throws) => mender.cure(page, throws),
  save: ({ writer }, page, throws) => writer.save(page, throws),
  connect: ({ writer }, page, throws) => writer.connect(page, throws),
  part: ({ writer }, page, throws) => writer.part(page, throws),
  'look at news': ({ writer }, page) => writer.lookAtNews(page),
  'write a lot': ({ writer }, page) => writer.writeALot(page),
  'gone at once': ({ writer }, page, throws) => writer.createAndLose(page, throws),
  'write and die': ({ writer }, page, throws) => writer.create(page, throws).then(() => page.crash()),
} satisfies Partial<Record<ActKind, Write>>;

/** The person in front of the devices: does what the schedule says, and the world remembers what was promised. */
export class Person {
  readonly writer: Writer;
  readonly mender: Mender;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    this.writer = new Writer(world);
    this.mender = new Mender(world, this.writer);
  }

  /** Begins an act; what it waits for goes on beside everything else. */
  act(act: Act): void {
    const device = this.#world.deviceOf(act);
    const throws = dice(act.throw);
    this.#world.note(`act ${act.kind} on ${device.name}`);
    this.#world.watch(this.#perform(act.kind, device, throws), act.kind);
  }

  async #perform(kind: ActKind, device: Device, throws: Dice): Promise<unknown> {
    const { server, scheduler, oracle, plan } = this.#world;
    const { session } = device;
    const alive = device.alive();
    const page = this.pageOf(device, throws);
    const write: Write | undefined = kind in WRITES ? WRITES[kind as keyof typeof WRITES] : undefined;
    // Reading what is there to write on may meet lost storage; saving may not, but for saying so.
    if (write) return page && page.tolerate(() => write(this, page, throws));
    switch (kind as Exclude<ActKind, keyof typeof WRITES>) {
      case 'look':
        this.#world.wantLook(device);
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
        // Some steps later, in the middle of whatever is then under way.
        const victim = alive.length > 0 ? throws.pick(alive) : null;
        if (victim) this.#world.afterSteps(throws.int(60), () => this.#crash([victim]));
        return;
      }
      case 'crash all':
        this.#world.afterSteps(throws.int(60), () => this.#crash(device.alive()));
        return;
      case 'close page': {
        const run = alive[0];
        if (!run) return;
        oracle.wire.disturbAll();
        return run.leave();
      }
      case 'open page':
        if (session && alive.length < 3) {
          device.open(throws.pick(['tab', 'second tab', 'worker'] as const), session.userId);
        }
        return;
      case 'freeze': {
        const run = alive[0];
        if (!run) return;
        run.freeze();
        this.#world.hit('act freeze');
        oracle.wire.disturbAll();
        scheduler.after(1000 + throws.int(90_000), () => run.thaw(), device.name);
        return;
      }
      case 'web edit':
        webEdit(this.#world, throws);
        return;
      case 'web delete':
        webDelete(this.#world, throws);
        return;
      case 'clock jump':
        device.skewMs += throws.pick([-1, 1]) * throws.pick([90_000, 3_600_000, 365 * 24 * 3_600_000]);
        return;
      case 'storage trouble':
        if (alive.length > 0) {
          throws.pick(alive).storage.trouble = {
            kind: throws.pick(['QuotaExceededError', 'UnknownError', 'closed'] as const),
            after: throws.int(6),
            times: 1 + throws.int(3),
          };
        }
        return;
      case 'store deleted':
        if (!session || !page) return;
        // As a rule with something still to send, on a phone that lay about.
        if (throws.chance(0.7)) {
          device.isOnline = false;
          for (let n = throws.int(3); n >= 0; n -= 1) await page.tolerate(() => this.writer.create(page, throws));
          await this.#world.pause(1500 + throws.int(3000), device.name);
        }
        this.#world.evictions.strike(device, session.userId, throws);
        return;
      case 'answer unkeepable':
        // Without uploads of its own a server takes the file with what it is for, and its upload is only a note here.
        device.disk.isNextUnkeepable = !plan.isForeign;
        return;
      case 'commit unreported':
        if (page) page.storage.trouble = { kind: 'unreported', after: throws.int(4), times: 1 };
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
        this.#signOut(device, throws);
        return;
      case 'other signs in':
        if (session?.userId === this.#world.people.other || plan.isForeign) return;
        // Often with something still to send.
        if (page && throws.chance(0.5)) await page.tolerate(() => this.writer.create(page, throws));
        this.#signOut(device, throws);
        await this.signIn(device, this.#world.people.other);
        return;
      case 'sign in back':
        if (session?.userId === this.#world.people.main) return;
        this.#signOut(device, throws);
        await this.signIn(device, this.#world.people.main);
        return;
      case 'news comes':
        for (let n = throws.int(4); n >= 0; n -= 1) addNews(server.store, this.#world.people.main);
        return;
      case 'cursor forgotten':
        server.store.cursorGeneration += 1;
        return;
      case 'portal':
        device.portal = throws.pick(PORTAL_STATUSES);
        scheduler.after(2000 + throws.int(40_000), () => void (device.portal = null), device.name);
        return;
    }
  }

  #crash(runs: readonly Run[]): void {
    this.#world.oracle.wire.disturbAll();
    for (const run of runs) run.crash();
  }

  /** Pages end at once or in order; a worker that never heard of it may live on. */
  #signOut(device: Device, throws: Dice): void {
    device.session = null;
    for (const run of device.alive()) {
      if (throws.chance(run.kind === 'worker' ? 0.6 : 0.4)) continue;
      if (throws.chance(0.5)) this.#crash([run]);
      else this.#world.watch(run.leave(), 'sign out');
    }
  }

  async signIn(device: Device, userId: string): Promise<void> {
    device.session = { token: this.#world.server.signIn(userId), userId };
    const page = device.inUse(userId)[0] ?? device.open('tab', userId);
    const { struck } = page.storage;
    // Where the page dies over it, the others go on saying so.
    device.mustSignInAgain = true;
    await page.tolerate(() => page.engine.signedIn());
    device.mustSignInAgain = page.storage.struck > struck;
  }

  /** A page to act in, opened where the person finds none; null while nobody is signed in. */
  pageOf(device: Device, throws: Dice): Run | null {
    if (!device.session) return null;
    const { userId } = device.session;
    const pages = device.inUse(userId).filter((run) => run.kind !== 'worker');
    return pages.length > 0 ? throws.pick(pages) : device.open('tab', userId);
  }

  /** One act of a script, always about the same record. */
  async perform(act: ScriptAct, page: Run): Promise<void> {
    const throws = dice(1);
    if (act === 'create') return this.writer.create(page, throws, 'experience');
    if (act === 'edit') return this.writer.edit(page, throws, 'experience');
    if (act === 'photo') return this.writer.photo(page, throws);
    if (act === 'video' || act === 'audio' || act === 'document') return this.writer.media(page, throws, act);
    return this.writer.remove(page, throws, false, 'experience');
  }
}
