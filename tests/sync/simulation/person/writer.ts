import type { MediaCard } from '#contract/records/media.ts';
import type { MediaType } from '#contract/media-types.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { listNotifications } from '#db/network.ts';
import { readConnectionState, readSaved } from '#db/saved-and-connected.ts';
import { ownProfiles, mediaItems } from '#db/queries.ts';
import { sectionItems } from '#db/single-items.ts';
import type { MirrorRecord } from '#db/rows.ts';
import { wholeSet } from '#db/sets.ts';
import type { Item } from '#db/views.ts';
import type { NewMedia } from '#sync/queue/attach-file.ts';
import { StorageError } from '#sync/storage-error.ts';
import type { Run } from '../device.ts';
import type { Prng } from '../prng.ts';
import type { Intent } from '../invariants/intent-log.ts';
import { fail } from '../invariants/violation.ts';
import type { Simulation } from '../simulation.ts';
import { markersIn } from '../markers.ts';
import { pickedFile } from './picked-file.ts';
import { LISTS, TEXTS, textsFor } from './texts.ts';
import { editElsewhere } from './web.ts';

type Body = Record<string, unknown>;

/** Number of changes in a bulk write. */
const LONG_QUEUE = 60;
const NEW_PROFILE_TEXTS = ['stage_name', 'title', 'location'];

const addOne = async (run: Run, profileId: string, item: NewMedia) => (await run.engine.addMedia(profileId, [item]))[0];

/** Performs what the person writes in a page of the app. */
export class Writer {
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** Runs a save and records whether the app confirmed it. */
  async keep(run: Run, intent: Intent, work: () => Promise<{ id?: string; op: string | null } | void>): Promise<void> {
    const { faultCount } = run.storage;
    try {
      const answer = await work();
      if (intent.state !== 'taken') intent.state = 'accepted';
      if (answer?.id !== undefined) intent.target ??= answer.id;
      intent.op = answer?.op ?? null;
      intent.savedAt = this.#simulation.scheduler.now;
      this.#simulation.note(`saved ~${intent.marker}~ ${intent.kind} ${intent.type} ${intent.target ?? ''}`);
    } catch (error) {
      if (run.storage.faultCount === faultCount || !(error instanceof StorageError)) throw error;
      // If the last try was lost after its commit, the app cannot know that the change is stored: see retryOnStorageLoss.
      intent.state = run.storage.hasHiddenCommit ? 'unsure' : 'refused';
      this.#simulation.hit('save refused by storage');
      this.#simulation.note(`not saved ~${intent.marker}~: ${error.message}`);
    }
  }

  /** Records the start of an act with what the person can see of the record. */
  recordIntent(run: Run, given: Pick<Intent, 'kind' | 'type' | 'target'> & { item?: Item }): Intent {
    const { kind, type, target, item } = given;
    const seen = new Map<string, Set<unknown>>();
    const intent = this.#simulation.intentLog.recordIntent({
      device: run.device,
      userId: run.userId,
      kind,
      type,
      target,
      fields: {},
      seen,
      page: run,
      askedAt: this.#simulation.scheduler.now,
    });
    if (item) this.see(intent, item.body);
    if (item?.serverId) this.see(intent, this.mirrorBody(run, type, item.serverId));
    return intent;
  }

  /** Records that the person has seen these values. */
  see(intent: Intent, body: Body): void {
    for (const [field, value] of Object.entries(body)) {
      const set = intent.seen.get(field) ?? new Set();
      intent.seen.set(field, set.add(value));
    }
  }

  /** Returns the server's version of a record as the device last received it. */
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
    return profiles.length > 0 ? this.#pickFavorite(profiles, prng) : null;
  }

  async create(run: Run, prng: Prng, only?: string): Promise<void> {
    const profile = await this.#profile(run, prng);
    const type = only ?? prng.pick(['experience', 'experience', 'skill']);
    if (!profile) return;
    const section = sectionOf(type)!;
    // In a list of one the existing record is edited.
    if (section.maxItems === 1 && (await sectionItems(run.db, section, profile.id)).length > 0) {
      return this.edit(run, prng, type);
    }
    const intent = this.recordIntent(run, { kind: 'create', type, target: null });
    const fields = { ...section.example, ...textsFor(intent, TEXTS[type]!) };
    await this.keep(run, intent, () => run.engine.create(type, profile.id, fields));
  }

  /** Creates a second profile with a first row and a set, all queued at once. */
  async createProfile(run: Run, prng: Prng): Promise<void> {
    const { intentLog, server } = this.#simulation;
    if (
      server.isBasic ||
      intentLog.intents.filter(({ type, kind }) => type === 'profile' && kind === 'create').length > 1
    ) {
      return;
    }
    const intent = this.recordIntent(run, { kind: 'create', type: 'profile', target: null });
    const row = this.recordIntent(run, { kind: 'create', type: 'skill', target: null });
    const set = this.recordIntent(run, { kind: 'update', type: 'attribute', target: null });
    const some = [...NEW_PROFILE_TEXTS, ...(prng.chance(0.5) ? ['description'] : [])];
    const fields = { ...textsFor(intent, some), profile_type_id: '2', status: 'active' };
    const first = [
      { type: 'skill', fields: { ...sectionOf('skill')!.example, ...textsFor(row, ['name']) }, isSet: false },
      { type: 'attribute', fields: textsFor(set, ['Hair']), isSet: true },
    ];
    const intents = [intent, row, set];
    const { faultCount } = run.storage;
    try {
      const { id, op } = await run.engine.createProfile(fields, prng.chance(0.6) ? first : []);
      Object.assign(intent, { target: id, op });
      set.target = id;
      for (const each of intents) if (each.state !== 'taken') each.state = 'accepted';
      // Values that were not part of the call need not be saved.
      const rows = run.device.outbox(run.userId);
      for (const each of [row, set]) {
        if (rows.every(({ patch }) => !markersIn(patch).includes(each.marker)) && !this.#isAnswered(each))
          each.fields = {};
      }
    } catch (error) {
      if (run.storage.faultCount === faultCount || !(error instanceof StorageError)) throw error;
      for (const each of intents) each.state = 'refused';
      this.#simulation.hit('save refused by storage');
    }
  }

  #isAnswered(intent: Intent): boolean {
    const { applied } = this.#simulation.server.store;
    return Object.keys(intent.fields).some((field) => applied.has(`${intent.marker}:${field}`));
  }

  /** Saves and unsaves a profile repeatedly, faster than the responses arrive. The screen must follow each tap. */
  async toggle(run: Run, prng: Prng): Promise<void> {
    const { profileId } = prng.pick(this.#simulation.neighbors[run.userId] ?? []);
    for (let n = 2 + prng.int(3); n > 0 && run.isAlive; n -= 1) {
      await this.save(run, prng, profileId);
      await this.#simulation.pause(prng.int(150), run.device.name);
    }
  }

  /** Shows the person every notification on this device. */
  async viewNotifications(run: Run, prng: Prng): Promise<void> {
    // Those further down the list are not seen.
    const seenShare = prng.pick([0.5, 1, 1]);
    const fresh = (await listNotifications(run.db)).filter(({ isNew }) => isNew);
    const notifications = fresh.slice(0, Math.ceil(fresh.length * seenShare)).map(({ news }) => news);
    if (notifications.length === 0) return;
    const intent = this.recordIntent(run, { kind: 'seen', type: 'notification', target: null });
    intent.notifications = notifications;
    this.#simulation.intentLog.recordSeenNotifications(run.userId, notifications);
    await this.keep(run, intent, () => run.engine.markSeen(notifications));
    this.#simulation.scheduler.after(200, () => this.#simulation.requestScreenCheck(run.device), run.device.name);
  }

  /** Writes so many changes at once that screens about other data must not read them all. */
  async writeALot(run: Run): Promise<void> {
    const profiles = await ownProfiles(run.db);
    const profile = profiles.at(-1);
    if (profiles.length < 2 || !profile || this.#simulation.crowdedProfileId) return;
    this.#simulation.crowdedProfileId = profile.id;
    this.#simulation.busyPage = run;
    for (let n = 0; n < LONG_QUEUE && run.isAlive; n += 1) {
      const intent = this.recordIntent(run, { kind: 'create', type: 'skill', target: null });
      const fields = { ...sectionOf('skill')!.example, ...textsFor(intent, ['name']) };
      await this.keep(run, intent, () => run.engine.create('skill', profile.id, fields));
    }
    this.#simulation.busyPage = null;
    this.#simulation.requestScreenCheck(run.device);
  }

  /** Creates a record that another computer deletes, sometimes before this device receives the response. */
  async createAndLose(run: Run, prng: Prng): Promise<void> {
    const { intentLog, server, scheduler } = this.#simulation;
    const marker = intentLog.intents.length + 1;
    await this.create(run, prng);
    scheduler.after(60 + prng.int(300), () => {
      const id = intentLog.getCreatedWith(run.device, marker);
      const row = id === null ? undefined : [...server.store.rows.values()].find((one) => one.id === id);
      if (!row) return;
      server.store.remove(row, 'web');
      if (run.isAlive)
        this.#simulation.watch(
          run.tolerate(() => run.engine.pull()),
          'pull',
        );
    });
  }

  /** @param isSlow the form stays open for some time before it is saved */
  async edit(run: Run, prng: Prng, type: string, isSlow = false): Promise<void> {
    const profile = await this.#profile(run, prng);
    if (!profile) return;
    const items = type === 'profile' ? [profile] : await this.#itemsOf(run, type, profile.id);
    if (items.length === 0 && type === 'media') return this.media(run, prng, 'image');
    const isOne = type === 'about_me' || type === 'attribute';
    if (items.length === 0 && !isOne) return this.create(run, prng);
    const item = items.length > 0 ? this.#pickFavorite(items, prng) : { ...profile, type, body: {} };
    const target = isOne ? profile.id : item.id;
    const shown = [item.body];
    if (item.serverId) shown.push(this.mirrorBody(run, type, item.serverId));
    if (isOne) shown.push(this.mirrorBody(run, type, profile.serverId ?? ''));
    const save = async () => {
      const intent = this.recordIntent(run, { kind: 'update', type, target });
      if (isSlow) intent.isSlow = true;
      for (const body of shown) this.see(intent, body);
      const texts = TEXTS[type]!;
      const some = texts.filter(() => prng.chance(0.5));
      const fields = textsFor(intent, some.length > 0 ? some : [prng.pick(texts)]);
      if (type === 'skill' && prng.chance(0.4)) fields['level'] = 1 + prng.int(3);
      // A cleared field counts as written: its earlier text must not come back.
      if (type === 'media' && prng.chance(0.3)) fields['keywords'] = intent.fields['keywords'] = null;
      const seen = Object.fromEntries(Object.keys(fields).map((field) => [field, item.body[field] ?? null]));
      await this.keep(run, intent, () => run.engine.update(type, target, fields, seen));
      // What waits on a device may be written over there without a question, also if it came from a sealed file.
      const waiting = run.device.outbox(run.userId).filter((row) => row.op !== intent.op);
      const lane = run.device.outbox(run.userId).find(({ op }) => op === intent.op)?.lane;
      for (const row of waiting) if (row.lane === lane) this.see(intent, row.patch);
    };
    if (!isSlow) return save();
    const { scheduler, server, network } = this.#simulation;
    const openMs = 1000 + prng.int(60_000);
    // In the end, when the network is healthy, nobody writes any more.
    const whileOpen = (ms: number, work: () => Promise<unknown>) =>
      scheduler.after(ms, () => {
        if (run.isAlive && !network.isHealthy) this.#simulation.watch(run.tolerate(work), 'edit slowly');
      });
    whileOpen(openMs, save);
    const id = isOne ? profile.serverId : item.serverId;
    const [key, stored] = [...server.store.rows].find(([, row]) => row.type === type && row.id === id) ?? [];
    if (key === undefined || stored === undefined || prng.chance(0.5)) return;
    whileOpen(openMs / 2, async () => {
      if (server.store.rows.get(key) === stored) editElsewhere(this.#simulation, stored, prng);
      await run.engine.pull();
    });
  }

  #itemsOf(run: Run, type: string, profileId: string): Promise<Item[]> {
    return type === 'media' ? mediaItems(run.db, profileId) : sectionItems(run.db, sectionOf(type)!, profileId);
  }

  /** Prefers the item that the person wrote last. */
  #pickFavorite(items: readonly Item[], prng: Prng): Item {
    const last = this.#simulation.intentLog.intents.findLast((intent) =>
      items.some((item) => item.id === intent.target),
    );
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
    const intent = this.recordIntent(run, { kind: 'delete', type, target: item.id, item });
    await this.keep(run, intent, () => run.engine.remove(type, item.id));
    if (!andUndo || intent.op === null) return;
    const { op } = intent;
    this.#simulation.scheduler.after(prng.int(7000), () => {
      if (run.isAlive) this.#simulation.watch(this.#undo(run, intent, op), 'undo');
    });
  }

  async #undo(run: Run, intent: Intent, op: string): Promise<void> {
    const before = intent.state;
    // If the page crashes or the disk fails meanwhile, both outcomes are possible.
    intent.state = 'unsure';
    await run.tolerate(async () => {
      const isUndone = await run.engine.undo(op);
      // Deletes of one record share a change: undoing it cancels all of them.
      const canceled = this.#simulation.intentLog.intents.filter((one) => one === intent || one.op === op);
      for (const one of canceled) if (isUndone) one.state = 'withdrawn';
      if (!isUndone) intent.state = before;
      if (isUndone) this.#simulation.invariants.wire.takenBack(op);
    });
  }

  async #pick(run: Run, intent: Intent, prng: Prng, kind: MediaType = 'image'): Promise<string | null> {
    const { file, sha256: digest } = pickedFile(prng, intent.marker, kind);
    intent.sha256 = digest;
    try {
      const media = await run.engine.importFile(file);
      if (media.sha256 !== digest) fail('16 upload integrity', 'the stored digest is not the file’s');
      return media.id;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      intent.state = 'refused';
      this.#simulation.hit('save refused by storage');
      return null;
    }
  }

  async photo(run: Run, prng: Prng): Promise<void> {
    return this.media(run, prng, 'image');
  }

  /** Picks a file of this kind and submits it. */
  async media(run: Run, prng: Prng, kind: MediaType): Promise<void> {
    const profile = await this.#profile(run, prng);
    if (!profile) return;
    const intent = this.recordIntent(run, { kind: 'photo', type: 'media', target: null });
    const mediaId = await this.#pick(run, intent, prng, kind);
    if (mediaId === null) return;
    const fields = textsFor(intent, kind === 'image' ? ['name'] : ['name', 'category_type']);
    await this.keep(run, intent, () => addOne(run, profile.id, { mediaId, fields: { media_type: kind, ...fields } }));
  }

  /** Adds a link to a video, which is a record without bytes. */
  async link(run: Run, prng: Prng): Promise<void> {
    const profile = await this.#profile(run, prng);
    if (!profile) return;
    const intent = this.recordIntent(run, { kind: 'create', type: 'media', target: null });
    const fields = textsFor(intent, ['name', 'category_type']);
    const youtube_url = 'https://youtu.be/dQw4w9WgXcQ';
    await this.keep(run, intent, () => addOne(run, profile.id, { fields: { ...fields, youtube_url } }));
  }

  /** Saves or unsaves a portfolio item. */
  async saveMedia(run: Run, prng: Prng): Promise<void> {
    const profile = await this.#profile(run, prng);
    const items = profile ? await mediaItems(run.db, profile.id) : [];
    const known = items.filter((item) => item.serverId !== null);
    if (known.length === 0) return;
    const target = prng.pick(known).serverId!;
    const saved = await readSaved(run.db, 'saved_media', target, false);
    const intent = this.recordIntent(run, { kind: 'save', type: 'saved_media', target });
    intent.fields['saved'] = !saved.value;
    const card = { id: target, name: 'Something' } as MediaCard;
    await this.keep(run, intent, () => run.engine.setSaved('saved_media', card, !saved.value));
  }

  async avatar(run: Run, prng: Prng): Promise<void> {
    const profile = await this.#profile(run, prng);
    if (!profile) return;
    const intent = this.recordIntent(run, { kind: 'avatar', type: 'profile', target: profile.id });
    const mediaId = await this.#pick(run, intent, prng);
    if (mediaId === null) return;
    await this.keep(run, intent, () => run.engine.setAvatar(profile.id, mediaId));
  }

  /** Saves or unsaves somebody's profile. */
  async save(run: Run, prng: Prng, person?: string): Promise<void> {
    const profileId = person ?? prng.pick(this.#simulation.neighbors[run.userId] ?? []).profileId;
    const saved = await readSaved(run.db, 'saved_profile', profileId, false);
    const intent = this.recordIntent(run, { kind: 'save', type: 'saved_profile', target: profileId });
    intent.fields['saved'] = !saved.value;
    const card = { id: profileId, title: null, stage_name: 'Somebody', location: null, profile_photo: null, slug: 's' };
    const profile = { ...card, profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' } };
    await this.keep(run, intent, () => run.engine.setSaved('saved_profile', profile, !saved.value));
    if (intent.state !== 'accepted') return;
    const { value: is } = await readSaved(run.db, 'saved_profile', profileId, false);
    const isLast = this.#simulation.intentLog.intents.findLast(({ target }) => target === profileId) === intent;
    if (isLast && is === saved.value) {
      fail('27 truthful', `${profileId} was tapped to be saved: ${!saved.value}, and is shown as before`);
    }
  }

  /** Sends a connection request or accepts one. */
  async connect(run: Run, prng: Prng): Promise<void> {
    const { userId } = prng.pick(this.#simulation.neighbors[run.userId] ?? []);
    const { value: is, connectionId } = await readConnectionState(run.db, userId, null);
    const person = { userId, name: 'Somebody' };
    if (is === 'asked' && connectionId !== null) {
      const intent = this.recordIntent(run, { kind: 'accept', type: 'person', target: userId });
      intent.fields['connection'] = connectionId;
      await this.keep(run, intent, () => run.engine.accept(person, connectionId));
    } else if (is === 'none') {
      const intent = this.recordIntent(run, { kind: 'connect', type: 'person', target: userId });
      const { message } = textsFor(intent, ['message']);
      await this.keep(run, intent, async () => {
        const answer = await run.engine.connect(person, String(message));
        // Another tab was faster: one request is enough, and it carries that tab's message.
        if (this.#simulation.intentLog.intents.some((one) => one !== intent && one.op === answer.op))
          intent.fields = {};
        return answer;
      });
    }
  }
  /** Withdraws or declines a request, or ends a connection. */
  async part(run: Run, prng: Prng): Promise<void> {
    const { intentLog, server, scheduler } = this.#simulation;
    const { userId } = prng.pick(this.#simulation.neighbors[run.userId] ?? []);
    const { value: is, connectionId } = await readConnectionState(run.db, userId, null);
    const isPending = run.device.outbox(run.userId).some((row) => row.type === 'person' && row.target === userId);
    if (server.isBasic || is === 'none' || (connectionId === null && !isPending)) return;
    // Earlier unsent intents about this person are canceled.
    for (const row of run.device.outbox(run.userId)) {
      if (row.type === 'person' && row.target === userId) intentLog.abandonWords(row);
    }
    intentLog.abandoned.add(`accept:${userId}`);
    const person = { userId, name: 'Somebody' };
    const intent = this.recordIntent(run, { kind: 'delete', type: 'connection', target: connectionId });
    await this.keep(run, intent, () =>
      run.engine.disconnect(person, is === 'asked' ? 'decline' : 'remove', connectionId),
    );
    const { op } = intent;
    if (op === null || !prng.chance(0.3)) return;
    scheduler.after(prng.int(7000), () => {
      if (run.isAlive) this.#simulation.watch(this.#undo(run, intent, op), 'undo');
    });
  }
}
