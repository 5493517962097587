import type { Message } from '#contract/records/chat.ts';

/** The part of a conversation that is drawn: messages in a row, none missing between them. */
export interface MessageWindow {
  messages: readonly Message[];
  /** Goes up to the newest there is. */
  isAtEnd: boolean;
}

/** Where messages are read from; both answer in order, and with what there is. */
export interface MessageSource {
  /** From this device; both ends included. */
  between(low: number, high: number): Promise<Message[]>;
  /** From the server to this device, those right before or right after one. False where nobody answered. */
  fetch(side: { before: number } | { after: number }): Promise<boolean>;
}

/** So much is added in one go: by number, and by characters, for one message may be as long as a page. */
const STEP_MESSAGES = 10;
const MAX_STEP_CHARACTERS = 2500;
/** More than this is not kept on the screen: the far end goes. */
const MAX_MESSAGES = 90;
const MAX_CHARACTERS = 60_000;

/** A photo takes as much room as so many characters. */
const PHOTO_CHARACTERS = 400;
const getLength = ({ message, media }: Message) => message.length + (media ? PHOTO_CHARACTERS : 0);
const getTotalLength = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + getLength(message), 0);

/** Where a conversation is drawn, CSS pixels. */
export interface Viewport {
  width: number;
  height: number;
}

/** Of a text as it is set in a bubble, CSS pixels: the height of a line, how wide a letter and how wide a line are. */
const LINE_PX = 21;
const CHARACTER_PX = 7;
const MAX_LINE_PX = 600;
/** What stands around a text, and below the last of several by one person, CSS pixels. */
const BUBBLE_PX = 20;
const TIME_PX = 28;

/** About so much of the height a message takes. */
function estimateHeight(message: Message, after: Message | undefined, { width }: Viewport): number {
  const letters = Math.min(MAX_LINE_PX, width * 0.78) / CHARACTER_PX;
  const around = after?.sender_id === message.sender_id ? BUBBLE_PX : BUBBLE_PX + TIME_PX;
  return around + LINE_PX * Math.max(1, Math.ceil(getLength(message) / letters));
}

/**
 * As many of a row as one step may draw, at least one; from its end, or from its beginning.
 * @param room that is to be filled, and no more than that
 */
export function takeStep(row: readonly Message[], from: 'end' | 'start', room?: Viewport): readonly Message[] {
  let characters = 0;
  let height = 0;
  let n = 0;
  while (n < row.length && (room ? height < room.height : n < STEP_MESSAGES)) {
    const at = from === 'end' ? row.length - 1 - n : n;
    const next = row[at]!;
    characters += getLength(next);
    if (n > 0 && characters > MAX_STEP_CHARACTERS) break;
    height += room ? estimateHeight(next, row[at + 1], room) : 0;
    n += 1;
  }
  return from === 'end' ? row.slice(row.length - n) : row.slice(0, n);
}

/** The messages that follow each other without a gap, up to the end or from the beginning of a row. */
export function takeContiguous(row: readonly Message[], from: 'end' | 'start'): readonly Message[] {
  if (from === 'start') {
    const gap = row.findIndex(({ seq }, index) => index > 0 && seq !== row[index - 1]!.seq + 1);
    return gap < 0 ? row : row.slice(0, gap);
  }
  const gap = row.findLastIndex(({ seq }, index) => index > 0 && seq !== row[index - 1]!.seq + 1);
  return gap < 0 ? row : row.slice(gap);
}

/** Lets go of what is furthest from where the person reads. */
function trimWindow(part: MessageWindow, keep: 'start' | 'end'): MessageWindow {
  let { messages } = part;
  const isLong = () =>
    messages.length > MAX_MESSAGES || (messages.length > STEP_MESSAGES && getTotalLength(messages) > MAX_CHARACTERS);
  if (!isLong()) return part;
  while (isLong()) messages = keep === 'start' ? messages.slice(0, -1) : messages.slice(1);
  return { messages, isAtEnd: keep === 'end' && part.isAtEnd };
}

/**
 * The same part as it stands by now: where a server counts no messages, one of ours has its place only for the time being,
 * and moves behind what turns out to be older.
 */
export async function refreshWindow(source: MessageSource, part: MessageWindow): Promise<MessageWindow> {
  const [first] = part.messages;
  const last = part.messages.at(-1);
  if (!first || !last) return part;
  const [here] = await source.between(last.seq, last.seq);
  if (here?.id === last.id) return part;
  return { ...part, messages: takeContiguous(await source.between(first.seq, last.seq), 'start') };
}

/** So many fill a screen in most cases; where they do not, others are added once they stand. */
export const SCREENFUL_MESSAGES = 16;

/** The newest messages of a conversation. @param newest its last number; 0 where nothing was said */
export async function loadNewestWindow(source: MessageSource, newest: number, room: Viewport): Promise<MessageWindow> {
  const row = await source.between(newest - SCREENFUL_MESSAGES + 1, newest);
  return { messages: takeStep(takeContiguous(row, 'end'), 'end', room), isAtEnd: true };
}

/** The part that begins with a message, or shortly before it. Null where it cannot be had now. */
export async function loadWindowAt(
  source: MessageSource,
  seq: number,
  newest: number,
  room: Viewport,
): Promise<MessageWindow | null> {
  const low = Math.max(1, seq - 2);
  const read = async () => takeContiguous(await source.between(low, low + SCREENFUL_MESSAGES - 1), 'start');
  let row = await read();
  if (row[0]?.seq !== low && (await source.fetch({ after: low - 1 }))) row = await read();
  if (row[0]?.seq !== low) return null;
  const messages = takeStep(row, 'start', room);
  return { messages, isAtEnd: messages.at(-1)!.seq >= newest };
}

/** One step towards the beginning. Null where it cannot be had now; the same part where it begins there. */
export async function extendToOlder(source: MessageSource, part: MessageWindow): Promise<MessageWindow | null> {
  const low = part.messages[0]?.seq ?? 1;
  if (low <= 1) return part;
  const read = async () => takeContiguous(await source.between(Math.max(1, low - STEP_MESSAGES), low - 1), 'end');
  let row = await read();
  if (row.at(-1)?.seq !== low - 1 && (await source.fetch({ before: low }))) row = await read();
  if (row.at(-1)?.seq !== low - 1) return null;
  return trimWindow({ ...part, messages: [...takeStep(row, 'end'), ...part.messages] }, 'start');
}

/** One step towards the newest. Null where it cannot be had now. */
export async function extendToNewer(
  source: MessageSource,
  part: MessageWindow,
  newest: number,
): Promise<MessageWindow | null> {
  const high = part.messages.at(-1)?.seq ?? 0;
  if (high >= newest) return { ...part, isAtEnd: true };
  const read = async () =>
    takeContiguous(await source.between(high + 1, Math.min(newest, high + STEP_MESSAGES)), 'start');
  let row = await read();
  if (row[0]?.seq !== high + 1 && (await source.fetch({ after: high }))) row = await read();
  if (row[0]?.seq !== high + 1) return null;
  const messages = [...part.messages, ...takeStep(row, 'start')];
  return trimWindow({ messages, isAtEnd: messages.at(-1)!.seq >= newest }, 'end');
}
