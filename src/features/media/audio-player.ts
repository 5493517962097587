import { createSlot } from '#ui/slot.ts';
import { type PlaybackError, getPlaybackError } from './playback-error.ts';

/** A recording that can be played. */
export interface Track {
  id: string;
  title: string;
  artist: string;
  /**
   * Its address, at once wherever it is known: Safari plays only what is played within the tap itself. A promise of an address
   * made for its bytes, which the player revokes, where these must be read first. Null where there is nothing to play.
   */
  source: () => string | Promise<string | null> | null;
}

export interface PlaybackState {
  track: Track | null;
  isPlaying: boolean;
  /** Seconds. */
  at: number;
  /** Seconds; null until the browser knows. */
  length: number | null;
  /** Why it does not play. */
  error: PlaybackError | null;
}

const STOPPED: PlaybackState = { track: null, isPlaying: false, at: 0, length: null, error: null };
const DEFAULT_SEEK_SECONDS = 10;

/** What is heard. One element for the whole page, so that no two recordings ever play at a time. */
export const playback = createSlot<PlaybackState>(STOPPED);
let element: HTMLAudioElement | null = null;
/** An address that was made for this player alone. */
let objectUrl: string | null = null;
/** What can be stepped through on the lock screen. */
let queue: readonly Track[] = [];

const change = (part: Partial<PlaybackState>) => playback.set({ ...playback.get(), ...part });
const lengthOf = ({ duration }: HTMLAudioElement) => (Number.isFinite(duration) ? duration : null);

function makeElement(): HTMLAudioElement {
  const audio = new Audio();
  audio.preload = 'metadata';
  audio.addEventListener('timeupdate', () => change({ at: audio.currentTime }));
  audio.addEventListener('durationchange', () => {
    change({ length: lengthOf(audio) });
    updatePositionState();
  });
  audio.addEventListener('seeked', updatePositionState);
  audio.addEventListener('play', () => change({ isPlaying: true, error: null }));
  audio.addEventListener('pause', () => change({ isPlaying: false }));
  audio.addEventListener('ended', () => change({ isPlaying: false, at: 0 }));
  audio.addEventListener('error', () => {
    const { track } = playback.get();
    if (track === null) return;
    change({ isPlaying: false });
    getPlaybackError(audio.currentSrc || audio.src)
      .then((trouble) => {
        if (playback.get().track === track) change({ error: trouble });
      })
      .catch(reportError);
  });
  return audio;
}

function revokeObjectUrl(): void {
  if (objectUrl !== null) URL.revokeObjectURL(objectUrl);
  objectUrl = null;
}

/** Loads an address. The rest of `play` follows without a wait. */
function load(audio: HTMLAudioElement, track: Track, source: string): void {
  audio.src = source;
  updateMediaSession(track);
}

/**
 * Plays a recording from where it was left; another one that plays stops.
 * @param among what comes before and after it
 * @param from seconds
 */
export async function play(track: Track, among: readonly Track[], from?: number): Promise<void> {
  queue = among;
  const audio = (element ??= makeElement());
  if (playback.get().track?.id !== track.id || playback.get().error !== null) {
    audio.pause();
    playback.set({ ...STOPPED, track });
    const source = track.source();
    if (source === null) return change({ error: 'away' });
    if (typeof source === 'string') {
      revokeObjectUrl();
      load(audio, track, source);
    } else {
      const made = await source;
      // Somebody pressed another one meanwhile.
      if (playback.get().track?.id !== track.id) {
        if (made !== null) URL.revokeObjectURL(made);
        return;
      }
      if (made === null) return change({ error: 'away' });
      revokeObjectUrl();
      objectUrl = made;
      load(audio, track, made);
    }
  }
  // Before the length is known a browser keeps this as the place to begin at.
  if (from !== undefined) seek(from);
  try {
    await audio.play();
  } catch (error) {
    // What cannot be played says so by its own event; a play cut short by another is no failure.
    if (!(error instanceof DOMException)) throw error;
  }
}

export function pause(): void {
  element?.pause();
}

/** Moves to a second of the recording that is loaded. */
export function seek(to: number): void {
  if (!element) return;
  element.currentTime = to;
  change({ at: to });
}

/** Nothing is heard any more: what was played is gone, or something else speaks. */
export function stop(): void {
  if (!element) return;
  element.pause();
  revokeObjectUrl();
  element.removeAttribute('src');
  element.load();
  playback.set(STOPPED);
  if ('mediaSession' in navigator) navigator.mediaSession.metadata = null;
}

function step(by: 1 | -1): void {
  const at = queue.findIndex(({ id }) => id === playback.get().track?.id);
  const next = queue[at + by];
  if (next) play(next, queue).catch(reportError);
}

/** The lock screen: what plays, and the buttons that reach it there. */
function updateMediaSession(track: Track): void {
  if (!('mediaSession' in navigator)) return;
  const session = navigator.mediaSession;
  session.metadata = new MediaMetadata({
    title: track.title,
    artist: track.artist,
    artwork: [{ src: '/icons/any-512.png', sizes: '512x512', type: 'image/png' }],
  });
  const has = (by: 1 | -1) => queue[queue.findIndex(({ id }) => id === track.id) + by] !== undefined;
  const actions: [MediaSessionAction, MediaSessionActionHandler | null][] = [
    ['play', () => void play(track, queue).catch(reportError)],
    ['pause', pause],
    ['stop', stop],
    ['seekbackward', ({ seekOffset }) => seek(Math.max(0, playback.get().at - (seekOffset ?? DEFAULT_SEEK_SECONDS)))],
    ['seekforward', ({ seekOffset }) => seek(playback.get().at + (seekOffset ?? DEFAULT_SEEK_SECONDS))],
    ['seekto', ({ seekTime }) => seekTime !== undefined && seek(seekTime)],
    ['previoustrack', has(-1) ? () => step(-1) : null],
    ['nexttrack', has(1) ? () => step(1) : null],
  ];
  for (const [action, handler] of actions) {
    try {
      session.setActionHandler(action, handler);
    } catch {
      // A browser that knows no such button has none to wire up.
    }
  }
}

function updatePositionState(): void {
  const duration = element && lengthOf(element);
  if (!element || !duration || !('mediaSession' in navigator) || !navigator.mediaSession.setPositionState) return;
  navigator.mediaSession.setPositionState({
    duration,
    position: Math.min(element.currentTime, duration),
    playbackRate: element.playbackRate,
  });
}
