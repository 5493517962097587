import { sectionOf } from '#contract/sections/index.ts';
import { bondWith, savedStanding } from '#db/people.ts';
import { ownProfiles, photoItems, sectionItems } from '#db/queries.ts';
import { waiting } from '#db/waiting.ts';
import type { MirrorRecord, OutboxRow } from '#db/rows.ts';
import { wholeSet } from '#db/sets.ts';
import type { Item } from '#db/views.ts';
import { StorageTrouble } from '#sync/trouble.ts';
import type { Device, Run } from './device.ts';
import { dice, type Dice } from './dice.ts';
import { sha256 } from './fake-store.ts';
import { markerOf } from './markers.ts';
import type { Wish } from './oracle.ts';
import type { Act, ActKind, ScriptAct } from './plan.ts';
import { lookAt, lookAtSaved, WRITTEN } from './screen.ts';
import type { World } from './world.ts';

type Body = Record<string, unknown>;

const TEXTS: Record<string, string[]> = {
  experience: ['experience_title', 'details', 'production_details'],
  skill: ['name'],
  about_me: ['description'],
  attribute: ['Build', 'Hair', 'Eyes', 'Skin'],
  profile: ['stage_name', 'title', 'location'],
};

type Write = (person: Person, page: Run, throws: Dice) => Promise<unknown>;

/** Acts in a page of the app. */
const WRITES = {
  create: (person, page, throws) => person.create(page, throws),
  edit: (person, page, throws) => person.edit(page, throws, throws.pick(['experience', 'experience', 'skill'])),
  'edit profile': (person, page, throws) => person.edit(page, throws, 'profile'),
  'edit about': (person, page, throws) => person.edit(page, throws, 'about_me'),
  'edit set': (person, page, throws) => person.edit(page, throws, 'attribute'),
  delete: (person, page, throws) => person.remove(page, throws, false),
  'delete and undo': (person, page, throws) => person.remove(page, throws, true),
  'add photo': (person, page, throws) => person.photo(page, throws),
  'set avatar': (person, page, throws) => person.avatar(page, throws),
  cure: (person, page, throws) => person.cure(page, throws),
  save: (person, page, throws) => person.save(page, throws),
  connect: (person, page, throws) => person.connect(page, throws),
  'gone at once': (person, page, throws) => person.createAndLose(page, throws),
  'write and die': (person, page, throws) => person.create(page, throws).then(() => page.crash()),
} satisfies Partial<Record<ActKind, Write>>;

/** Two pixels by two: enough for a real server to decode. Whatever stands behind a JPEG's end belongs to nobody. */
const JPEG = Buffer.from(
  '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjsh' +
    'ITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAACAAIDASIAAhEBAxEB/8QAFQABAQAA' +
    'AAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAM' +
    'AwEAAhEDEQA/AIYBo7//2Q==',
  'base64',
);

/** A picture as a picker gives it, of bytes that no other has. */
function pickedFile(throws: Dice, marker: number) {
  const tail = 10 + throws.int(throws.chance(0.3) ? 30_000 : 9000);
  const bytes = new Uint8Array(JPEG.length + tail).map((_, index) => (index * 31 + marker * 7) & 255);
  bytes.set(JPEG);
  bytes.set(new TextEncoder().encode(markerOf(marker)), JPEG.length);
  const file = {
    name: `photo-${marker}.jpg`,
    type: 'image/jpeg',
    size: bytes.length,
    slice: (start: number, end: number) => ({
      arrayBuffer: () => Promise.resolve(bytes.slice(start, end).buffer),
    }),
  };
  return { file, sha256: sha256(bytes) };
}

/** The person in front of the devices: does what the schedule says, and remembers in the oracle what was promised. */
export class Person {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
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
    if (write) return page && this.tolerate(page, () => write(this, page, throws));
    switch (kind as Exclude<ActKind, keyof typeof WRITES>) {
      case 'look':
        this.#world.wantLook(device);
        return;
      case 'pull':
        return page && this.tolerate(page, () => page.engine.pull());
      case 'try now':
        return page && this.tolerate(page, () => page.engine.tryNow());
      case 'offline':
        device.isOnline = false;
        return;
      case 'online':
        device.isOnline = true;
        for (const run of alive) run.engine.poke('online');
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
        oracle.disturbAll();
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
        oracle.disturbAll();
        scheduler.after(1000 + throws.int(90_000), () => run.thaw(), device.name);
        return;
      }
      case 'web edit':
        return this.#webEdit(throws, false);
      case 'web delete':
        return this.#webEdit(throws, true);
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
        if (page && throws.chance(0.5)) await this.create(page, throws);
        this.#signOut(device, throws);
        await this.signIn(device, this.#world.people.other);
        return;
      case 'sign in back':
        if (session?.userId === this.#world.people.main) return;
        this.#signOut(device, throws);
        await this.signIn(device, this.#world.people.main);
        return;
      case 'cursor forgotten':
        server.cursorGeneration += 1;
        return;
    }
  }

  #crash(runs: readonly Run[]): void {
    this.#world.oracle.disturbAll();
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
    await this.tolerate(page, () => page.engine.signedIn());
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
    if (act === 'create') return this.create(page, throws, 'experience');
    if (act === 'edit') return this.edit(page, throws, 'experience');
    if (act === 'photo') return this.photo(page, throws);
    return this.remove(page, throws, false, 'experience');
  }

  /** Runs what may fail for the storage's sake, and for nothing else. */
  async tolerate(run: Run, work: () => Promise<unknown>): Promise<void> {
    const { struck } = run.storage;
    try {
      await work();
    } catch (error) {
      if (run.isAlive && run.storage.struck === struck) throw error;
    }
  }

  /** Runs a save and notes what the person was told. */
  async #save(run: Run, wish: Wish, work: () => Promise<{ id?: string; op: string | null } | void>): Promise<void> {
    const { struck } = run.storage;
    try {
      const answer = await work();
      wish.state = 'accepted';
      if (answer?.id !== undefined) wish.target ??= answer.id;
      wish.op = answer?.op ?? null;
      this.#world.note(`saved ~${wish.marker}~ ${wish.kind} ${wish.type} ${wish.target ?? ''}`);
    } catch (error) {
      if (run.storage.struck === struck || !(error instanceof StorageTrouble)) throw error;
      wish.state = 'refused';
      this.#world.hit('save refused by storage');
      this.#world.note(`not saved ~${wish.marker}~: ${error.message}`);
    }
  }

  #wish(run: Run, given: Pick<Wish, 'kind' | 'type' | 'target'> & { item?: Item }): Wish {
    const { oracle } = this.#world;
    const { kind, type, target, item } = given;
    const seen = new Map<string, Set<unknown>>();
    const wish = oracle.wish({ device: run.device, userId: run.userId, kind, type, target, fields: {}, seen });
    if (item) this.#see(wish, item.body);
    if (item?.serverId) this.#see(wish, this.#mirrorBody(run, type, item.serverId));
    return wish;
  }

  #see(wish: Wish, body: Body): void {
    for (const [field, value] of Object.entries(body)) {
      const set = wish.seen.get(field) ?? new Set();
      wish.seen.set(field, set.add(value));
    }
  }

  #mirrorBody(run: Run, type: string, serverId: string): Body {
    const records = run.device.disk.rows<MirrorRecord>(run.device.dbName(run.userId), 'records');
    if (type === 'attribute') {
      const rows = records.filter((record) => record.type === type && record.parent === serverId);
      return wholeSet(
        type,
        rows.map((record) => record.body),
      ).body;
    }
    return records.find((record) => record.type === type && record.id === serverId)?.body ?? {};
  }

  #texts(wish: Wish, fields: readonly string[]): Body {
    const texts = Object.fromEntries(fields.map((field) => [field, `${field.slice(0, 5)} ${markerOf(wish.marker)}`]));
    Object.assign(wish.fields, texts);
    return texts;
  }

  async #profile(run: Run, throws: Dice): Promise<Item | null> {
    const profiles = await ownProfiles(run.db);
    return profiles.length > 0 ? this.#favourite(profiles, throws) : null;
  }

  async create(run: Run, throws: Dice, only?: string): Promise<void> {
    const profile = await this.#profile(run, throws);
    const type = only ?? throws.pick(['experience', 'experience', 'skill']);
    if (!profile) return;
    const section = sectionOf(type)!;
    const wish = this.#wish(run, { kind: 'create', type, target: null });
    const fields = { ...section.example, ...this.#texts(wish, TEXTS[type]!) };
    await this.#save(run, wish, () => run.engine.create(type, profile.id, fields));
  }

  /** Another computer deletes what is made here, at times before this one has heard that it was made. */
  async createAndLose(run: Run, throws: Dice): Promise<void> {
    const { oracle, server, scheduler } = this.#world;
    const marker = oracle.wishes.length + 1;
    await this.create(run, throws);
    scheduler.after(60 + throws.int(300), () => {
      const id = oracle.madeWith(run.device, marker);
      const row = id === null ? undefined : [...server.store.rows.values()].find((one) => one.id === id);
      if (!row) return;
      server.store.remove(row, 'web');
      if (run.isAlive)
        this.#world.watch(
          this.tolerate(run, () => run.engine.pull()),
          'pull',
        );
    });
  }

  async edit(run: Run, throws: Dice, type: string): Promise<void> {
    const profile = await this.#profile(run, throws);
    if (!profile) return;
    const items = type === 'profile' ? [profile] : await sectionItems(run.db, sectionOf(type)!, profile.id);
    const isOne = type === 'about_me' || type === 'attribute';
    if (items.length === 0 && !isOne) return this.create(run, throws);
    const item = items.length > 0 ? this.#favourite(items, throws) : { ...profile, type, body: {} };
    const target = isOne ? profile.id : item.id;
    const wish = this.#wish(run, { kind: 'update', type, target, item });
    if (isOne) this.#see(wish, this.#mirrorBody(run, type, profile.serverId ?? ''));
    const texts = TEXTS[type]!;
    const some = texts.filter(() => throws.chance(0.5));
    const fields = this.#texts(wish, some.length > 0 ? some : [throws.pick(texts)]);
    if (type === 'skill' && throws.chance(0.4)) fields['level'] = 1 + throws.int(3);
    await this.#save(run, wish, () => run.engine.update(type, target, fields));
    if (item.serverId) this.#see(wish, this.#mirrorBody(run, type, item.serverId));
  }

  /** People come back to what they wrote last. */
  #favourite(items: readonly Item[], throws: Dice): Item {
    const last = this.#world.oracle.wishes.findLast((wish) => items.some((item) => item.id === wish.target));
    const known = items.find((item) => item.id === last?.target);
    return known && throws.chance(0.7) ? known : throws.pick(items);
  }

  async remove(run: Run, throws: Dice, andUndo: boolean, only?: string): Promise<void> {
    const profile = await this.#profile(run, throws);
    const type = only ?? throws.pick(['experience', 'experience', 'skill', 'media']);
    if (!profile) return;
    const items =
      type === 'media'
        ? await photoItems(run.db, profile.id)
        : await sectionItems(run.db, sectionOf(type)!, profile.id);
    if (items.length === 0) return;
    const item = throws.pick(items);
    const wish = this.#wish(run, { kind: 'delete', type, target: item.id, item });
    await this.#save(run, wish, () => run.engine.remove(type, item.id));
    if (!andUndo || wish.op === null) return;
    const { op } = wish;
    this.#world.scheduler.after(throws.int(7000), () => {
      if (run.isAlive) this.#world.watch(this.#undo(run, wish, op), 'undo');
    });
  }

  async #undo(run: Run, wish: Wish, op: string): Promise<void> {
    const before = wish.state;
    // Should the page die or the disk fail on the way, either may have come of it.
    wish.state = 'unsure';
    await this.tolerate(run, async () => {
      wish.state = (await run.engine.undo(op)) ? 'withdrawn' : before;
    });
  }

  async #pick(run: Run, wish: Wish, throws: Dice): Promise<string | null> {
    const { file, sha256: digest } = pickedFile(throws, wish.marker);
    wish.sha256 = digest;
    try {
      const media = await run.engine.importFile(file);
      if (media.sha256 !== digest)
        this.#world.oracle.fail('16 upload integrity', 'the stored digest is not the file’s');
      return media.id;
    } catch (error) {
      if (!(error instanceof StorageTrouble)) throw error;
      wish.state = 'refused';
      return null;
    }
  }

  async photo(run: Run, throws: Dice): Promise<void> {
    const profile = await this.#profile(run, throws);
    if (!profile) return;
    const wish = this.#wish(run, { kind: 'photo', type: 'media', target: null });
    const mediaId = await this.#pick(run, wish, throws);
    if (mediaId === null) return;
    const fields = this.#texts(wish, ['name']);
    await this.#save(run, wish, () => run.engine.addPhoto(profile.id, mediaId, fields));
  }

  async avatar(run: Run, throws: Dice): Promise<void> {
    const profile = await this.#profile(run, throws);
    if (!profile) return;
    const wish = this.#wish(run, { kind: 'avatar', type: 'profile', target: profile.id });
    const mediaId = await this.#pick(run, wish, throws);
    if (mediaId === null) return;
    await this.#save(run, wish, () => run.engine.setAvatar(profile.id, mediaId));
  }

  /** Saves somebody's profile, or lets it go. */
  async save(run: Run, throws: Dice): Promise<void> {
    const { profileId } = throws.pick(this.#world.neighbours[run.userId] ?? []);
    const standing = await savedStanding(run.db, profileId, false);
    const wish = this.#wish(run, { kind: 'save', type: 'saved_profile', target: profileId });
    wish.fields['saved'] = !standing.is;
    const card = { id: profileId, title: null, stage_name: 'Somebody', location: null, profile_photo: null, slug: 's' };
    const profile = { ...card, profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' } };
    await this.#save(run, wish, () => run.engine.setSaved(profile, !standing.is));
  }

  /** Asks somebody to connect, or accepts who asked. */
  async connect(run: Run, throws: Dice): Promise<void> {
    const { userId } = throws.pick(this.#world.neighbours[run.userId] ?? []);
    const { is, connectionId } = await bondWith(run.db, userId, null);
    const whom = { userId, name: 'Somebody' };
    if (is === 'asked' && connectionId !== null) {
      const wish = this.#wish(run, { kind: 'accept', type: 'person', target: userId });
      wish.fields['connection'] = connectionId;
      await this.#save(run, wish, () => run.engine.accept(whom, connectionId));
    } else if (is === 'none') {
      const wish = this.#wish(run, { kind: 'connect', type: 'person', target: userId });
      const { message } = this.#texts(wish, ['message']);
      await this.#save(run, wish, async () => {
        const answer = await run.engine.connect(whom, String(message));
        // Another tab was quicker: one request is enough, and it says what that one said.
        if (this.#world.oracle.wishes.some((one) => one !== wish && one.op === answer.op)) wish.fields = {};
        return answer;
      });
    }
  }

  /** Deals with one change that needs the person. False when there is none. */
  async cure(run: Run, throws: Dice): Promise<boolean> {
    const { needs } = await waiting(run.db, 0);
    if (needs.length === 0) return false;
    const { row } = throws.pick(needs);
    this.#world.note(`cure ${row.kind} ${row.type} ${row.seq} (${String(row.reason)})`);
    this.#world.hit(`cure ${String(row.reason)}`);
    if (throws.chance(0.25)) await this.#discard(run, row);
    else await this.#mend(run, row, throws);
    return true;
  }

  async #discard(run: Run, row: OutboxRow): Promise<void> {
    const { oracle } = this.#world;
    oracle.giveUp(run.device, run.userId, row);
    // What is written to it in the meantime, in another tab, goes with it.
    if (row.kind === 'create') oracle.giveUpRecord(run.device, row.target);
    await this.tolerate(run, () => run.engine.discard(row.op));
  }

  async #mend(run: Run, row: OutboxRow, throws: Dice): Promise<void> {
    const { oracle, server } = this.#world;
    const texts = row.type === 'media' ? ['name'] : [...(TEXTS[row.type] ?? []), 'description'];
    switch (row.reason) {
      case 'invalid':
      case 'toobig':
      case 'wrongtype': {
        const own = texts.filter((field) => field in row.patch);
        // The red field is changed, some others too.
        const isRed = (field: string) => row.lastError?.errors === undefined || field in row.lastError.errors;
        const written = own.filter((field) => isRed(field) || throws.chance(0.3));
        if ((row.kind !== 'create' && row.kind !== 'update') || written.length === 0) return this.#discard(run, row);
        const wish = this.#wish(run, { kind: 'update', type: row.type, target: row.target });
        for (const field of written) wish.seen.set(field, new Set([row.base[field]]));
        this.#inherit(wish, row);
        const fields = this.#texts(wish, written);
        await this.#save(run, wish, async () => {
          await run.engine.fix({ op: row.op, type: row.type, id: row.target }, fields);
        });
        return;
      }
      case 'conflict': {
        const fields = row.kind === 'delete' ? ['any'] : Object.keys(row.patch);
        const choice = Object.fromEntries(fields.map((field) => [field, throws.pick(['mine', 'theirs'] as const)]));
        for (const wish of oracle.wishesIn(row)) this.#see(wish, row.theirs?.body ?? {});
        for (const wish of oracle.wishesBehind(run.device, row)) this.#see(wish, row.theirs?.body ?? {});
        if (row.kind === 'delete' && choice['any'] === 'theirs') oracle.dropped.add(`delete:${row.op}`);
        oracle.drop({
          ...row,
          patch: Object.fromEntries(Object.entries(row.patch).filter(([f]) => choice[f] === 'theirs')),
        });
        await this.tolerate(run, () => run.engine.settle(row.op, choice));
        return;
      }
      case 'gone': {
        const canMake = row.kind === 'update' && sectionOf(row.type)?.endpoints.create;
        if (!canMake) return this.#discard(run, row);
        const mirror = this.#mirrorBody(run, row.type, oracle.serverIdOfTarget(run.device, row.target) ?? row.target);
        oracle.allowAgain({ ...mirror, ...row.base, ...row.patch });
        await this.tolerate(run, () => run.engine.recreate(row.op));
        return;
      }
      case 'forbidden':
      case 'stale':
      case 'suspect':
      case 'unknown-op':
      case 'unsure':
      case undefined: {
        for (const wish of oracle.wishesIn(row)) {
          if (throws.chance(0.7)) server.refusals.delete(wish.marker);
          server.poison.delete(wish.marker);
        }
        if (row.reason === 'unsure') {
          if (throws.chance(0.5)) return this.tolerate(run, () => run.engine.check(row.op));
          oracle.allowAgain(row.patch);
        }
        if (row.reason !== 'unsure' && row.reason !== 'suspect') oracle.takeBackDelete(run.device, run.userId, row);
        await this.tolerate(run, () => run.engine.sendAgain(row.op));
      }
    }
  }

  /** A correction stands on what the person had seen when they wrote the first version. */
  #inherit(wish: Wish, row: OutboxRow): void {
    for (const earlier of this.#world.oracle.wishesIn(row)) {
      for (const [field, values] of earlier.seen) {
        const set = wish.seen.get(field) ?? new Set();
        for (const value of values) set.add(value);
        wish.seen.set(field, set);
      }
    }
  }

  /** The same person at another computer, straight on the server. */
  #webEdit(throws: Dice, remove: boolean): Promise<void> {
    const { store } = this.#world.server;
    const rows = [...store.rows.values()].filter(
      (row) =>
        row.userId === this.#world.people.main &&
        (remove ? !['profile', 'attribute'].includes(row.type) : !['saved_profile', 'connection'].includes(row.type)),
    );
    if (rows.length === 0) return Promise.resolve();
    const newest = rows.findLast((one) => one.type !== 'profile');
    const row = newest && throws.chance(0.5) ? newest : throws.pick(rows);
    if (remove) {
      store.remove(row, 'web');
      return Promise.resolve();
    }
    const texts =
      row.type === 'media' ? ['name'] : [...TEXTS[row.type]!, ...(row.type === 'profile' ? ['description'] : [])];
    const wish = this.#world.oracle.wish({
      device: this.#world.web,
      userId: row.userId,
      kind: 'update',
      type: row.type,
      target: row.id,
      fields: {},
      seen: new Map(),
    });
    store.change(row, this.#texts(wish, [throws.pick(texts)]), 'web');
    wish.state = 'accepted';
    return Promise.resolve();
  }

  /** Compares what each open page shows with what the disk says it must. */
  async look(run: Run): Promise<void> {
    for (const { profileId } of this.#world.neighbours[run.userId] ?? []) await lookAtSaved(run, profileId);
    for (const profileId of this.#world.profileIds[run.userId] ?? []) {
      for (const type of WRITTEN) await lookAt(run, type, profileId);
      await lookAt(run, 'media', profileId);
      await lookAt(run, 'profile', profileId);
    }
  }
}
