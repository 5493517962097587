import type { Range } from './range.ts';
import { type Element, ElementReader, find, ID, parseElements, toFloat, toInteger, toText } from './ebml.ts';
import type { FileWindow } from './file-window.ts';
import { FileRefused } from './refused.ts';
import type { VideoFacts } from './video-facts.ts';

const DAMAGED = 'This file is damaged or not a video';
const CUT_OFF = 'This video is incomplete. Copy it to your device again';
const NO_PICTURE = 'This file has no moving picture';
const NOT_PLAYABLE = 'This video does not play in every browser. Save it as MP4';

const TRACK_TYPES = { video: 1, audio: 2 };
/** What WebM may contain, and browsers play (webmproject.org, container guidelines). */
const CODECS = new Set(['V_VP8', 'V_VP9', 'V_AV1', 'A_OPUS', 'A_VORBIS']);
/** Times are counted in milliseconds unless the file says otherwise. */
const USUAL_TICK_NANOSECONDS = 1_000_000;
/** The list of tracks and the general information have some hundred bytes. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** More parts than four hours of pictures and sound have, and fewer than keep the server busy. */
const MAX_ELEMENTS = 2_000_000;
/** Larger numbers are no size of a picture. */
const MAX_SIDE = 0xffff;

/** Parts of a segment: where one begins, a cluster that does not say how long it is has ended. */
const IN_SEGMENT = new Set<number>([
  ...[ID.SeekHead, ID.Info, ID.Tracks, ID.Cluster, ID.Cues, ID.Chapters, ID.Attachments, ID.Tags],
]);
/** What says who made the video, with what, when and where, or is another file. */
const HIDDEN_IN_SEGMENT = new Set<number>([ID.Chapters, ID.Attachments, ID.Tags]);
/** The same in the general information. Its checksum would be wrong afterwards. */
const HIDDEN_IN_INFO = new Set<number>([
  ...[ID.Title, ID.DateUtc, ID.MuxingApp, ID.WritingApp, ID.SegmentFilename, ID.Crc32],
]);

interface Walked {
  info: { at: number; bytes: Buffer } | null;
  tracks: Buffer | null;
  hidden: Range[];
  hasBlocks: boolean;
  /** When the last block begins, in ticks. */
  lastTick: number;
}

/** Goes through a segment without reading its pictures. */
class SegmentWalk {
  readonly found: Walked = { info: null, tracks: null, hidden: [], hasBlocks: false, lastTick: 0 };
  readonly #reader: ElementReader;
  readonly #end: number;
  /** Recorded straight to disk: it may end anywhere. */
  readonly #isLive: boolean;
  /** There are pictures or sound before the place where the file ends. */
  #mayEnd = false;
  #count = 0;

  constructor(reader: ElementReader, segment: Element) {
    this.#reader = reader;
    this.#end = segment.end ?? reader.length;
    this.#isLive = segment.end === null;
  }

  /** Reads the header of the next element; null at the end. @throws FileRefused if the file is cut off there */
  async #next(at: number, end: number): Promise<Element | null> {
    this.#count += 1;
    if (this.#count > MAX_ELEMENTS) throw new FileRefused(DAMAGED);
    if (at >= end) return null;
    const element = await this.#reader.readElement(at);
    if (element !== null && (element.end ?? element.content) <= end) return element;
    if (element?.id === ID.Cluster && this.#isLive) return { ...element, end: null };
    if (this.#isLive && this.#mayEnd) return null;
    throw new FileRefused(CUT_OFF);
  }

  async run(from: number): Promise<Walked> {
    let lastCluster: Element | null = null;
    for (let at = from; ;) {
      const element = await this.#next(at, this.#end);
      if (element === null) break;
      if (element.id === ID.Cluster && element.end === null) {
        at = await this.#walkCluster(element.content, this.#end);
        continue;
      }
      if (element.end === null) throw new FileRefused(DAMAGED);
      if (element.id === ID.Cluster) {
        lastCluster = element;
        this.#mayEnd = true;
      } else await this.#take({ ...element, end: element.end });
      at = element.end;
    }
    // Those before it are not needed.
    if (lastCluster?.end) await this.#walkCluster(lastCluster.content, lastCluster.end);
    return this.found;
  }

  async #take({ id, offset, content, end }: Element & { end: number }): Promise<void> {
    if (id === ID.Info || id === ID.Tracks) {
      if (end - content > MAX_HEADER_BYTES) throw new FileRefused(DAMAGED);
      const bytes = await this.#reader.read(content, end - content);
      if (id === ID.Info) this.found.info = { at: content, bytes };
      else this.found.tracks = bytes;
    } else if (HIDDEN_IN_SEGMENT.has(id)) {
      this.found.hidden.push({ offset, length: end - offset });
    }
  }

  /** Notes when the last block of a cluster begins. Returns where the cluster ends. */
  async #walkCluster(from: number, end: number): Promise<number> {
    let clusterTick = 0;
    for (let at = from; ;) {
      const element = await this.#next(at, end);
      if (element === null) return end;
      const { id, content } = element;
      if (IN_SEGMENT.has(id)) return at;
      if (element.end === null) throw new FileRefused(DAMAGED);
      if (id === ID.Timestamp) {
        clusterTick = toInteger(await this.#reader.read(content, Math.min(8, element.end - content))) ?? 0;
      }
      if (id === ID.SimpleBlock || id === ID.Block) {
        this.found.hasBlocks = true;
        this.#mayEnd = true;
        this.found.lastTick = Math.max(
          this.found.lastTick,
          clusterTick + (await this.#reader.readBlockTick({ ...element, end: element.end })),
        );
      }
      at = id === ID.BlockGroup ? content : element.end;
    }
  }
}

/** The display size of the first video track. @throws FileRefused if there is none, or a track does not play */
function getSize(tracks: Buffer): { width: number; height: number } {
  const entries = parseElements(tracks)
    .filter(({ id }) => id === ID.TrackEntry)
    .map(({ content, end }) => tracks.subarray(content, end));
  const getEntries = (type: number) => entries.filter((entry) => toInteger(find(entry, ID.TrackType)) === type);
  const videos = getEntries(TRACK_TYPES.video);
  const settings = videos[0] && find(videos[0], ID.Video);
  if (!settings) throw new FileRefused(NO_PICTURE);
  const isPlayable = (entry: Buffer) =>
    CODECS.has(toText(find(entry, ID.CodecId))) && find(entry, ID.ContentEncodings) === null;
  if (![...videos, ...getEntries(TRACK_TYPES.audio)].every(isPlayable)) throw new FileRefused(NOT_PLAYABLE);
  const number = (id: number) => toInteger(find(settings, id)) ?? 0;
  // Other units tell the shape alone.
  const isInPixels = number(ID.DisplayUnit) === 0;
  const width = (isInPixels && number(ID.DisplayWidth)) || number(ID.PixelWidth);
  const height = (isInPixels && number(ID.DisplayHeight)) || number(ID.PixelHeight);
  if (width === 0 || height === 0 || width > MAX_SIDE || height > MAX_SIDE) throw new FileRefused(NO_PICTURE);
  return { width, height };
}

/** Seconds: as the file says, or else until its last picture or sound begins. */
function getDuration({ info, lastTick }: Walked): number | null {
  const tick = (info && toInteger(find(info.bytes, ID.TimestampScale))) ?? USUAL_TICK_NANOSECONDS;
  const stated = info && toFloat(find(info.bytes, ID.Duration));
  const seconds = ((stated || lastTick) * tick) / 1e9;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

/** The parts of the general information that nobody needs to play the video. */
const getHiddenInfo = ({ info }: Walked): Range[] =>
  info === null
    ? []
    : parseElements(info.bytes)
        .filter(({ id }) => HIDDEN_IN_INFO.has(id))
        .map(({ offset, end }) => ({ offset: info.at + offset, length: end - offset }));

/**
 * WebM, as Firefox records it. A recording that was written while it ran says neither how long it is nor how long its clusters are.
 * @throws FileRefused also if it has pictures or sound that browsers do not play
 */
export async function inspectWebm(window: FileWindow): Promise<VideoFacts> {
  const reader = new ElementReader(window, () => new FileRefused(DAMAGED));
  const head = await reader.readElement(0);
  const segment = head?.id === ID.Head && head.end !== null ? await reader.readElement(head.end) : null;
  if (segment?.id !== ID.Segment) throw new FileRefused(DAMAGED);
  if ((segment.end ?? 0) > window.length) throw new FileRefused(CUT_OFF);
  const found = await new SegmentWalk(reader, segment).run(segment.content);
  if (found.tracks === null) throw new FileRefused(DAMAGED);
  const size = getSize(found.tracks);
  if (!found.hasBlocks) throw new FileRefused(CUT_OFF);
  return { durationSeconds: getDuration(found), ...size, hidden: [...found.hidden, ...getHiddenInfo(found)] };
}
