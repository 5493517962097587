import type { Message } from '#contract/records/chat.ts';

/** The rendered part of a conversation: consecutive messages with none missing between them. */
export interface MessageWindow {
  messages: readonly Message[];
  /** Whether the window includes the newest message. */
  isAtEnd: boolean;
}

/** Where the window reads messages from. */
export interface MessageSource {
  /** Returns the messages on this device with a `seq` from `low` to `high`, both included, in ascending order. */
  between(low: number, high: number): Promise<Message[]>;
  /** Stores the server's messages right before or after a `seq` on this device. Resolves with false if the request fails. */
  fetch(side: { before: number } | { after: number }): Promise<boolean>;
}

/** Limits of one step. Characters are limited too, because one message can be as long as a page. */
const STEP_MESSAGES = 10;
const MAX_STEP_CHARACTERS = 2500;
/** Limits of the window. A longer window drops messages at its far end. */
const MAX_MESSAGES = 90;
const MAX_CHARACTERS = 60_000;

/** A photo counts as this many characters. */
const PHOTO_CHARACTERS = 400;
const getLength = ({ message, media }: Message) => message.length + (media ? PHOTO_CHARACTERS : 0);
const getTotalLength = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + getLength(message), 0);

/** The visible area of a conversation, in CSS pixels. */
export interface Viewport {
  width: number;
  height: number;
}

/** The text of a bubble: the height of a line, the average width of a character and the maximum width of a line. */
const LINE_PX = 21;
const CHARACTER_PX = 7;
const MAX_LINE_PX = 600;
/** The padding and margin around a text, and the time line below the last message of a group. */
const BUBBLE_PX = 20;
const TIME_PX = 28;

/** Estimates the height of a message, in CSS pixels. */
function estimateHeight(message: Message, after: Message | undefined, { width }: Viewport): number {
  const charactersPerLine = Math.min(MAX_LINE_PX, width * 0.78) / CHARACTER_PX;
  const frame = after?.sender_id === message.sender_id ? BUBBLE_PX : BUBBLE_PX + TIME_PX;
  return frame + LINE_PX * Math.max(1, Math.ceil(getLength(message) / charactersPerLine));
}

/**
 * Returns as many messages as one step may render, at least one, from the end or the start of `row`.
 * @param viewport if given, returns the messages that fill it, instead of a fixed number
 */
export function takeStep(row: readonly Message[], from: 'end' | 'start', viewport?: Viewport): readonly Message[] {
  let characters = 0;
  let height = 0;
  let n = 0;
  while (n < row.length && (viewport ? height < viewport.height : n < STEP_MESSAGES)) {
    const at = from === 'end' ? row.length - 1 - n : n;
    const next = row[at]!;
    characters += getLength(next);
    if (n > 0 && characters > MAX_STEP_CHARACTERS) break;
    height += viewport ? estimateHeight(next, row[at + 1], viewport) : 0;
    n += 1;
  }
  return from === 'end' ? row.slice(row.length - n) : row.slice(0, n);
}

/** Returns the longest run without a gap, up to the end or from the start of `row`. */
export function takeContiguous(row: readonly Message[], from: 'end' | 'start'): readonly Message[] {
  if (from === 'start') {
    const gap = row.findIndex(({ seq }, index) => index > 0 && seq !== row[index - 1]!.seq + 1);
    return gap < 0 ? row : row.slice(0, gap);
  }
  const gap = row.findLastIndex(({ seq }, index) => index > 0 && seq !== row[index - 1]!.seq + 1);
  return gap < 0 ? row : row.slice(gap);
}

/** Drops the messages that are furthest from the end where the user reads. */
function trimWindow(window: MessageWindow, keep: 'start' | 'end'): MessageWindow {
  let { messages } = window;
  const isTooLong = () =>
    messages.length > MAX_MESSAGES || (messages.length > STEP_MESSAGES && getTotalLength(messages) > MAX_CHARACTERS);
  if (!isTooLong()) return window;
  while (isTooLong()) messages = keep === 'start' ? messages.slice(0, -1) : messages.slice(1);
  return { messages, isAtEnd: keep === 'end' && window.isAtEnd };
}

/**
 * Reads the window again if its last message has moved. The basic API has no sequence numbers, so a message sent from this device
 * has a provisional place and moves behind messages that turn out to be older.
 */
export async function refreshWindow(source: MessageSource, window: MessageWindow): Promise<MessageWindow> {
  const [first] = window.messages;
  const last = window.messages.at(-1);
  if (!first || !last) return window;
  const [stored] = await source.between(last.seq, last.seq);
  if (stored?.id === last.id) return window;
  return { ...window, messages: takeContiguous(await source.between(first.seq, last.seq), 'start') };
}

/** Enough messages for most screens. If they do not fill it, the list adds more after the first render. */
export const SCREENFUL_MESSAGES = 16;

/**
 * Returns a window with the newest messages that fill the viewport.
 * @param newest the `seq` of the last message; 0 if there is none
 */
export async function loadNewestWindow(
  source: MessageSource,
  newest: number,
  viewport: Viewport,
): Promise<MessageWindow> {
  const row = await source.between(newest - SCREENFUL_MESSAGES + 1, newest);
  return { messages: takeStep(takeContiguous(row, 'end'), 'end', viewport), isAtEnd: true };
}

/** Returns a window that starts two messages before `seq`, or null if it is neither on this device nor available from the server. */
export async function loadWindowAt(
  source: MessageSource,
  seq: number,
  newest: number,
  viewport: Viewport,
): Promise<MessageWindow | null> {
  const low = Math.max(1, seq - 2);
  const read = async () => takeContiguous(await source.between(low, low + SCREENFUL_MESSAGES - 1), 'start');
  const isWhole = (some: readonly Message[]) => some[0]?.seq === low && some.at(-1)!.seq >= seq;
  let row = await read();
  if (!isWhole(row) && (await source.fetch({ after: low - 1 }))) row = await read();
  if (!isWhole(row)) return null;
  // The messages before it may be long enough to fill the viewport.
  const messages = row.slice(0, Math.max(takeStep(row, 'start', viewport).length, seq - low + 1));
  return { messages, isAtEnd: messages.at(-1)!.seq >= newest };
}

/** Extends the window by one step of older messages. Returns null if they are unavailable, the same window if there are none. */
export async function extendToOlder(source: MessageSource, window: MessageWindow): Promise<MessageWindow | null> {
  const low = window.messages[0]?.seq ?? 1;
  if (low <= 1) return window;
  const read = async () => takeContiguous(await source.between(Math.max(1, low - STEP_MESSAGES), low - 1), 'end');
  let row = await read();
  if (row.at(-1)?.seq !== low - 1 && (await source.fetch({ before: low }))) row = await read();
  if (row.at(-1)?.seq !== low - 1) return null;
  return trimWindow({ ...window, messages: [...takeStep(row, 'end'), ...window.messages] }, 'start');
}

/** Extends the window by one step of newer messages. Returns null if they are unavailable. */
export async function extendToNewer(
  source: MessageSource,
  window: MessageWindow,
  newest: number,
): Promise<MessageWindow | null> {
  const high = window.messages.at(-1)?.seq ?? 0;
  if (high >= newest) return { ...window, isAtEnd: true };
  const read = async () =>
    takeContiguous(await source.between(high + 1, Math.min(newest, high + STEP_MESSAGES)), 'start');
  let row = await read();
  if (row[0]?.seq !== high + 1 && (await source.fetch({ after: high }))) row = await read();
  if (row[0]?.seq !== high + 1) return null;
  const messages = [...window.messages, ...takeStep(row, 'start')];
  return trimWindow({ messages, isAtEnd: messages.at(-1)!.seq >= newest }, 'end');
}
