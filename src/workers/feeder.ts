import type { EncodedPacket } from 'mediabunny';

/** The sound of a recording may begin a little before its first picture. */
const EARLY_SECONDS = 0.001;

/** Something that adds the next packet of a track to the output. `at` is the time of that packet; null at the end. */
export interface Feeder {
  at: number | null;
  step(): Promise<void>;
}

/** Turns packets or samples into a feeder. `time` says where the next one lies. */
export async function createFeeder<T>(
  items: AsyncGenerator<T, void, unknown>,
  time: (item: T) => number,
  add: (item: T) => Promise<void>,
): Promise<Feeder> {
  let next = await items.next();
  const timeOf = () => (next.done ? null : time(next.value));
  const feeder: Feeder = {
    at: timeOf(),
    async step() {
      if (next.done) return;
      await add(next.value);
      next = await items.next();
      feeder.at = timeOf();
    },
  };
  return feeder;
}

/** What is copied: from a key picture to the last picture before the end, in seconds of the recording. */
export interface Part {
  first: EncodedPacket;
  /** The first packet that is left out. */
  end: EncodedPacket | undefined;
  from: number;
  to: number;
  packets: number;
}

/** The packets or samples that begin within a part. @param drop gets those that do not: samples have to be closed */
export async function* withinPart<T extends { timestamp: number }>(
  items: AsyncGenerator<T, void, unknown>,
  { from, to }: Part,
  drop: (item: T) => void = () => undefined,
): AsyncGenerator<T, void, unknown> {
  for await (const item of items) {
    if (item.timestamp >= from - EARLY_SECONDS && item.timestamp < to) yield item;
    else drop(item);
    if (item.timestamp >= to) return;
  }
}
