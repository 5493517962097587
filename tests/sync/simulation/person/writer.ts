import type { MediaCard } from '#contract/records/media.ts';
import type { MediaType } from '#contract/media-types.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { newsItems } from '#db/network.ts';
import { bondWith, savedStanding } from '#db/people.ts';
import { ownProfiles, mediaItems, sectionItems } from '#db/queries.ts';
import type { MirrorRecord } from '#db/rows.ts';
import { wholeSet } from '#db/sets.ts';
import type { Item } from '#db/views.ts';
import { StorageTrouble } from '#sync/storage-error.ts';
import type { Run } from '../device.ts';
import type { Prng } from '../prng.ts';
import type { Wish } from '../invariants/intent-log.ts';
import { fail } from '../invariants/violation.ts';
import type { World } from '../simulation.ts';
import { markersIn } from '../markers.ts';
import { pickedFile } from './picked-file.ts';
import { LISTS, TEXTS, textsFor } from './texts.ts';

type Body = Record<string, unknown>;

/** Changes that are written at once, where many are. */
const LONG_QUEUE = 60;
const NEW_PROFILE_TEXTS = ['stage_name', 'title', 'location'];

/** What the person writes in a page of the app. */
export class Writer {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Runs a save and notes what the person was told. */
  async keep(run: Run, wish: Wish, work: () => Promise<{ id?: string; op: string | null } | void>): Promise<void> {
    const { struck } = run.storage;
    try {
      const answer = await work();
      if (wish.state !== 'taken') wish.state = 'accepted';
      if (answer?.id !== undefined) wish.target ??= answer.id;
      wish.op = answer?.op ?? null;
      wish.toldAt = this.#world.scheduler.now;
      this.#world.note(`saved ~${wish.marker}~ ${wish.kind} ${wish.type} ${wish.target ?? ''}`);
    } catch (error) {
      if (run.storage.struck === struck || !(error instanceof StorageTrouble)) throw error;
      wish.state = 'refused';
      this.#world.hit('save refused by storage');
      this.#world.note(`not saved ~${wish.marker}~: ${error.message}`);
    }
  }

  /** An act begins: what the person can see of the record is noted with it. */
  wish(run: Run, given: Pick<Wish, 'kind' | 'type' | 'target'> & { item?: Item }): Wish {
    const { kind, type, target, item } = given;
    const seen = new Map<string, Set<unknown>>();
    const wish = this.#world.memory.wish({
      device: run.device,
      userId: run.userId,
      kind,
      type,
      target,
      fields: {},
      seen,
    });
    if (item) this.see(wish, item.body);
    if (item?.serverId) this.see(wish, this.mirrorBody(run, type, item.serverId));
    return wish;
  }

  /** The person has seen these values. */
  see(wish: Wish, body: Body): void {
    for (const [field, value] of Object.entries(body)) {
      const set = wish.seen.get(field) ?? new Set();
      wish.seen.set(field, set.add(value));
    }
  }

  /** The server's version of a record, as the device last heard it. */
  mirrorBody(run: Run, type: string, serverId: string): Body {
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

  async #profile(run: Run, prng: Prng): Promise<Item | null> {
    const profiles = await ownProfiles(run.db);
    return profiles.length > 0 ? this.#favourite(profiles, prng) : null;
  }

  async create(run: Run, prng: Prng, only?: string): Promise<void> {
    const profile = await this.#profile(run, prng);
    const type = only ?? prng.pick(['experience', 'experience', 'skill']);
    if (!profile) return;
    const section = sectionOf(type)!;
    // What there is one of is changed where there is one.
    if (section.most === 1 && (await sectionItems(run.db, section, profile.id)).length > 0) {
      return this.edit(run, prng, type);
    }
    const wish = this.wish(run, { kind: 'create', type, target: null });
    const fields = { ...section.example, ...textsFor(wish, TEXTS[type]!) };
    await this.keep(run, wish, () => run.engine.create(type, profile.id, fields));
  }

  /** A second profile with a first row and a set in it, all three queued at once. */
  async createProfile(run: Run, prng: Prng): Promise<void> {
    const { memory, server } = this.#world;
    if (
      server.isForeign ||
      memory.wishes.filter(({ type, kind }) => type === 'profile' && kind === 'create').length > 1
    ) {
      return;
    }
    const wish = this.wish(run, { kind: 'create', type: 'profile', target: null });
    const row = this.wish(run, { kind: 'create', type: 'skill', target: null });
    const set = this.wish(run, { kind: 'update', type: 'attribute', target: null });
    const some = [...NEW_PROFILE_TEXTS, ...(prng.chance(0.5) ? ['description'] : [])];
    const fields = { ...textsFor(wish, some), profile_type_id: '2', status: 'active' };
    const first = [
      { type: 'skill', fields: { ...sectionOf('skill')!.example, ...textsFor(row, ['name']) }, isSet: false },
      { type: 'attribute', fields: textsFor(set, ['Hair']), isSet: true },
    ];
    const wishes = [wish, row, set];
    const { struck } = run.storage;
    try {
      const { id, op } = await run.engine.createProfile(fields, prng.chance(0.6) ? first : []);
      Object.assign(wish, { target: id, op });
      set.target = id;
      for (const each of wishes) if (each.state !== 'taken') each.state = 'accepted';
      // What was not asked for is no promise.
      const rows = run.device.outbox(run.userId);
      for (const each of [row, set]) {
        if (rows.every(({ patch }) => !markersIn(patch).includes(each.marker)) && !this.#isHeard(each))
          each.fields = {};
      }
    } catch (error) {
      if (run.storage.struck === struck || !(error instanceof StorageTrouble)) throw error;
      for (const each of wishes) each.state = 'refused';
      this.#world.hit('save refused by storage');
    }
  }

  #isHeard(wish: Wish): boolean {
    const { applied } = this.#world.server.store;
    return Object.keys(wish.fields).some((field) => applied.has(`${wish.marker}:${field}`));
  }

  /** Saves somebody and lets them go and saves them again, faster than the answers come; the screen follows each tap. */
  async toggle(run: Run, prng: Prng): Promise<void> {
    const { profileId } = prng.pick(this.#world.neighbours[run.userId] ?? []);
    for (let n = 2 + prng.int(3); n > 0 && run.isAlive; n -= 1) {
      await this.save(run, prng, profileId);
      await this.#world.pause(prng.int(150), run.device.name);
    }
  }

  /** Has every notification before their eyes that this device knows of. */
  async lookAtNews(run: Run): Promise<void> {
    const news = (await newsItems(run.db)).filter(({ isNew }) => isNew).map(({ news: { id } }) => id);
    if (news.length === 0) return;
    const wish = Object.assign(this.wish(run, { kind: 'seen', type: 'notification', target: null }), { news });
    this.#world.memory.saw(run.userId, news);
    await this.keep(run, wish, () => run.engine.markSeen(news));
    this.#world.scheduler.after(200, () => this.#world.wantLook(run.device), run.device.name);
  }

  /** So much at once that a screen about something else must not read it all. */
  async writeALot(run: Run): Promise<void> {
    const profiles = await ownProfiles(run.db);
    const profile = profiles.at(-1);
    if (profiles.length < 2 || !profile || this.#world.crowded) return;
    this.#world.crowded = profile.id;
    this.#world.busyPage = run;
    for (let n = 0; n < LONG_QUEUE && run.isAlive; n += 1) {
      const wish = this.wish(run, { kind: 'create', type: 'skill', target: null });
      const fields = { ...sectionOf('skill')!.example, ...textsFor(wish, ['name']) };
      await this.keep(run, wish, () => run.engine.create('skill', profile.id, fields));
    }
    this.#world.busyPage = null;
    this.#world.wantLook(run.device);
  }

  /** Another computer deletes what is made here, at times before this one has heard that it was made. */
  async createAndLose(run: Run, prng: Prng): Promise<void> {
    const { memory, server, scheduler } = this.#world;
    const marker = memory.wishes.length + 1;
    await this.create(run, prng);
    scheduler.after(60 + prng.int(300), () => {
      const id = memory.madeWith(run.device, marker);
      const row = id === null ? undefined : [...server.store.rows.values()].find((one) => one.id === id);
      if (!row) return;
      server.store.remove(row, 'web');
      if (run.isAlive)
        this.#world.watch(
          run.tolerate(() => run.engine.pull()),
          'pull',
        );
    });
  }

  async edit(run: Run, prng: Prng, type: string): Promise<void> {
    const profile = await this.#profile(run, prng);
    if (!profile) return;
    const items = type === 'profile' ? [profile] : await this.#itemsOf(run, type, profile.id);
    if (items.length === 0 && type === 'media') return this.media(run, prng, 'image');
    const isOne = type === 'about_me' || type === 'attribute';
    if (items.length === 0 && !isOne) return this.create(run, prng);
    const item = items.length > 0 ? this.#favourite(items, prng) : { ...profile, type, body: {} };
    const target = isOne ? profile.id : item.id;
    const wish = this.wish(run, { kind: 'update', type, target, item });
    if (isOne) this.see(wish, this.mirrorBody(run, type, profile.serverId ?? ''));
    const texts = TEXTS[type]!;
    const some = texts.filter(() => prng.chance(0.5));
    const fields = textsFor(wish, some.length > 0 ? some : [prng.pick(texts)]);
    if (type === 'skill' && prng.chance(0.4)) fields['level'] = 1 + prng.int(3);
    // What is cleared counts as written: no words of before may come back.
    if (type === 'media' && prng.chance(0.3)) fields['keywords'] = wish.fields['keywords'] = null;
    await this.keep(run, wish, () => run.engine.update(type, target, fields));
    if (item.serverId) this.see(wish, this.mirrorBody(run, type, item.serverId));
  }

  #itemsOf(run: Run, type: string, profileId: string): Promise<Item[]> {
    return type === 'media' ? mediaItems(run.db, profileId) : sectionItems(run.db, sectionOf(type)!, profileId);
  }

  /** People come back to what they wrote last. */
  #favourite(items: readonly Item[], prng: Prng): Item {
    const last = this.#world.memory.wishes.findLast((wish) => items.some((item) => item.id === wish.target));
    const known = items.find((item) => item.id === last?.target);
    return known && prng.chance(0.7) ? known : prng.pick(items);
  }

  async remove(run: Run, prng: Prng, andUndo: boolean, only?: string): Promise<void> {
    const profile = await this.#profile(run, prng);
    const type = only ?? prng.pick(['experience', 'experience', 'skill', 'media', prng.pick(LISTS)]);
    if (!profile) return;
    const items = await this.#itemsOf(run, type, profile.id);
    if (items.length === 0) return;
    const item = prng.pick(items);
    const wish = this.wish(run, { kind: 'delete', type, target: item.id, item });
    await this.keep(run, wish, () => run.engine.remove(type, item.id));
    if (!andUndo || wish.op === null) return;
    const { op } = wish;
    this.#world.scheduler.after(prng.int(7000), () => {
      if (run.isAlive) this.#world.watch(this.#undo(run, wish, op), 'undo');
    });
  }

  async #undo(run: Run, wish: Wish, op: string): Promise<void> {
    const before = wish.state;
    // Should the page die or the disk fail on the way, either may have come of it.
    wish.state = 'unsure';
    await run.tolerate(async () => {
      const isUndone = await run.engine.undo(op);
      wish.state = isUndone ? 'withdrawn' : before;
      if (isUndone) this.#world.oracle.wire.takenBack(op);
    });
  }

  async #pick(run: Run, wish: Wish, prng: Prng, kind: MediaType = 'image'): Promise<string | null> {
    const { file, sha256: digest } = pickedFile(prng, wish.marker, kind);
    wish.sha256 = digest;
    try {
      const media = await run.engine.importFile(file);
      if (media.sha256 !== digest) fail('16 upload integrity', 'the stored digest is not the file’s');
      return media.id;
    } catch (error) {
      if (!(error instanceof StorageTrouble)) throw error;
      wish.state = 'refused';
      this.#world.hit('save refused by storage');
      return null;
    }
  }

  async photo(run: Run, prng: Prng): Promise<void> {
    return this.media(run, prng, 'image');
  }

  /** Picks a file of a kind and submits it. */
  async media(run: Run, prng: Prng, kind: MediaType): Promise<void> {
    const profile = await this.#profile(run, prng);
    if (!profile) return;
    const wish = this.wish(run, { kind: 'photo', type: 'media', target: null });
    const mediaId = await this.#pick(run, wish, prng, kind);
    if (mediaId === null) return;
    const fields = textsFor(wish, kind === 'image' ? ['name'] : ['name', 'category_type']);
    await this.keep(run, wish, () => run.engine.addMedia(profile.id, mediaId, { media_type: kind, ...fields }));
  }

  /** A video that lies elsewhere: a record without bytes. */
  async link(run: Run, prng: Prng): Promise<void> {
    const profile = await this.#profile(run, prng);
    if (!profile) return;
    const wish = this.wish(run, { kind: 'create', type: 'media', target: null });
    const fields = textsFor(wish, ['name', 'category_type']);
    const youtube_url = 'https://youtu.be/dQw4w9WgXcQ';
    await this.keep(run, wish, () => run.engine.addLink(profile.id, { ...fields, youtube_url }));
  }

  /** Bookmarks an item, or lets it go. */
  async saveMedia(run: Run, prng: Prng): Promise<void> {
    const profile = await this.#profile(run, prng);
    const items = profile ? await mediaItems(run.db, profile.id) : [];
    const known = items.filter((item) => item.serverId !== null);
    if (known.length === 0) return;
    const target = prng.pick(known).serverId!;
    const standing = await savedStanding(run.db, 'saved_media', target, false);
    const wish = this.wish(run, { kind: 'save', type: 'saved_media', target });
    wish.fields['saved'] = !standing.is;
    const card = { id: target, name: 'Something' } as MediaCard;
    await this.keep(run, wish, () => run.engine.setSaved('saved_media', card, !standing.is));
  }

  async avatar(run: Run, prng: Prng): Promise<void> {
    const profile = await this.#profile(run, prng);
    if (!profile) return;
    const wish = this.wish(run, { kind: 'avatar', type: 'profile', target: profile.id });
    const mediaId = await this.#pick(run, wish, prng);
    if (mediaId === null) return;
    await this.keep(run, wish, () => run.engine.setAvatar(profile.id, mediaId));
  }

  /** Saves somebody's profile, or lets it go. */
  async save(run: Run, prng: Prng, whom?: string): Promise<void> {
    const profileId = whom ?? prng.pick(this.#world.neighbours[run.userId] ?? []).profileId;
    const standing = await savedStanding(run.db, 'saved_profile', profileId, false);
    const wish = this.wish(run, { kind: 'save', type: 'saved_profile', target: profileId });
    wish.fields['saved'] = !standing.is;
    const card = { id: profileId, title: null, stage_name: 'Somebody', location: null, profile_photo: null, slug: 's' };
    const profile = { ...card, profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' } };
    await this.keep(run, wish, () => run.engine.setSaved('saved_profile', profile, !standing.is));
    if (wish.state !== 'accepted') return;
    const { is } = await savedStanding(run.db, 'saved_profile', profileId, false);
    const isLast = this.#world.memory.wishes.findLast(({ target }) => target === profileId) === wish;
    if (isLast && is === standing.is) {
      fail('27 words from state', `${profileId} was tapped to be saved: ${!standing.is}, and is shown as before`);
    }
  }

  /** Asks somebody to connect, or accepts who asked. */
  async connect(run: Run, prng: Prng): Promise<void> {
    const { userId } = prng.pick(this.#world.neighbours[run.userId] ?? []);
    const { is, connectionId } = await bondWith(run.db, userId, null);
    const whom = { userId, name: 'Somebody' };
    if (is === 'asked' && connectionId !== null) {
      const wish = this.wish(run, { kind: 'accept', type: 'person', target: userId });
      wish.fields['connection'] = connectionId;
      await this.keep(run, wish, () => run.engine.accept(whom, connectionId));
    } else if (is === 'none') {
      const wish = this.wish(run, { kind: 'connect', type: 'person', target: userId });
      const { message } = textsFor(wish, ['message']);
      await this.keep(run, wish, async () => {
        const answer = await run.engine.connect(whom, String(message));
        // Another tab was quicker: one request is enough, and it says what that one said.
        if (this.#world.memory.wishes.some((one) => one !== wish && one.op === answer.op)) wish.fields = {};
        return answer;
      });
    }
  }
  /** Takes a request back, declines one or ends a connection. */
  async part(run: Run, prng: Prng): Promise<void> {
    const { memory, server, scheduler } = this.#world;
    const { userId } = prng.pick(this.#world.neighbours[run.userId] ?? []);
    const { is, connectionId } = await bondWith(run.db, userId, null);
    const isHere = run.device.outbox(run.userId).some((row) => row.type === 'person' && row.target === userId);
    if (server.isForeign || is === 'none' || (connectionId === null && !isHere)) return;
    // What was wished of them before and has not left is no wish any more.
    for (const row of run.device.outbox(run.userId)) {
      if (row.type === 'person' && row.target === userId) memory.drop(row);
    }
    memory.dropped.add(`accept:${userId}`);
    const whom = { userId, name: 'Somebody' };
    const wish = this.wish(run, { kind: 'delete', type: 'connection', target: connectionId });
    await this.keep(run, wish, () => run.engine.disconnect(whom, is === 'asked' ? 'decline' : 'remove', connectionId));
    const { op } = wish;
    if (op === null || !prng.chance(0.3)) return;
    scheduler.after(prng.int(7000), () => {
      if (run.isAlive) this.#world.watch(this.#undo(run, wish, op), 'undo');
    });
  }
}
