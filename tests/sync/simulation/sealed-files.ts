import { openSealed } from '#sync/sealed/open.ts';
import { sealOutbox } from '#sync/sealed/seal.ts';
import type { SealedContents } from '#sync/sealed/contents.ts';
import { retryOnStorageLoss } from '#sync/storage-error.ts';
import type { Device, Run } from './device.ts';
import { markersIn } from './markers.ts';
import type { Prng } from './prng.ts';
import { epoch } from './scheduler.ts';
import type { Simulation } from './simulation.ts';

interface SealedFile {
  from: Device;
  userId: string;
  contents: SealedContents;
  /** Whether another device than the one that wrote it has opened it. */
  isOpened: boolean;
}

/** The files may have this many bytes together, so that some are left out. */
const MAX_BYTES = 20_000;

/** The sealed files that the person has saved, and where they open them. */
export class SealedFiles {
  readonly #simulation: Simulation;
  readonly #files: SealedFile[] = [];

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** Saves the unsent changes of a device in a file, without any connection to its store. */
  async seal({ db, device, userId }: Run): Promise<void> {
    if (this.#simulation.plan.isForeign) return;
    const sealed = await retryOnStorageLoss(db, () => sealOutbox(db, this.#timeOn(device), MAX_BYTES));
    const contents = structuredClone(sealed.contents);
    if (contents.rows.length === 0) return;
    this.#files.push({ from: device, userId, contents, isOpened: false });
    this.#simulation.intentLog.unopened.add(device);
    this.#simulation.hit('a sealed file is saved');
    if (sealed.leftOut.rows > 0) this.#simulation.hit('a sealed file leaves something out');
    this.#simulation.note(`${device.name} seals ${contents.rows.length} rows, without ${sealed.leftOut.rows}`);
  }

  /** Opens one of the person's files, usually on another device than the one that wrote it. */
  async open(page: Run, prng: Prng): Promise<void> {
    const files = this.#files.filter(({ userId }) => userId === page.userId);
    const others = files.filter(({ from }) => from !== page.device);
    const choice = others.length > 0 && prng.chance(0.9) ? others : files;
    if (choice.length > 0) await this.#openFile(page, prng.pick(choice));
  }

  /** Opens the files that were opened nowhere, as far as this device did not write them. */
  async openRest(page: Run): Promise<void> {
    for (const file of this.#files) {
      if (!file.isOpened && file.userId === page.userId && file.from !== page.device) await this.#openFile(page, file);
    }
  }

  async #openFile({ db, device, engine }: Run, file: SealedFile): Promise<void> {
    const { intentLog } = this.#simulation;
    const clock = { now: () => this.#timeOn(device), after: () => () => undefined };
    // From now on, both devices may send the changes, also if this page dies right after the transaction.
    intentLog.recordOpened(file.from, device);
    const opened = await retryOnStorageLoss(db, () => openSealed({ db, clock }, structuredClone(file.contents)));
    file.isOpened ||= file.from !== device;
    if (this.#files.every(({ from, isOpened }) => from !== file.from || isOpened)) intentLog.unopened.delete(file.from);
    this.#simulation.hit('a sealed file is opened');
    if (opened.known > 0) this.#simulation.hit('a sealed file holds known changes');
    if (opened.stale > 0) this.#simulation.hit('a sealed file holds stale changes');
    this.#simulation.note(`${device.name} opens a file: ${JSON.stringify(opened)}`);
    engine.wake('enqueue');
  }

  #timeOn(device: Device): number {
    return epoch + Math.floor(this.#simulation.scheduler.now) + device.skewMs;
  }

  /** The person loses a device for good. What is in no file is lost, which nobody can change. */
  lose(device: Device): void {
    const { devices, intentLog, people } = this.#simulation;
    const own = this.#files.filter(({ from, userId }) => from === device && userId === people.main);
    if (devices.length < 2 || own.length === 0) return;
    const rows = own.flatMap(({ contents }) => contents.rows);
    const kept = new Set(rows.flatMap(({ patch }) => markersIn(patch)));
    const ops = new Set(rows.map(({ op }) => op));
    const digests = new Set(own.flatMap(({ contents }) => contents.media.map(({ sha256 }) => sha256)));
    for (const intent of intentLog.intents) {
      if (intent.device !== device || intent.state === 'refused' || intent.state === 'withdrawn') continue;
      const isKept =
        intent.userId === people.main &&
        (kept.has(intent.marker) || ops.has(intent.op ?? '') || digests.has(intent.sha256 ?? ''));
      if (!isKept) intent.state = 'taken';
    }
    for (const run of device.alive()) run.crash();
    device.isLost = true;
    device.session = null;
    devices.splice(devices.indexOf(device), 1);
    this.#simulation.hit('a device with a sealed file is lost');
    this.#simulation.note(`${device.name} is lost`);
  }
}
