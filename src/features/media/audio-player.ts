import { createSlot } from '#ui/slot.ts';
import { type PlaybackError, getPlaybackError } from '#shared/offline-media/playback-error.ts';

/** A recording that can be played. */
export interface Track {
  id: string;
  title: string;
  artist: string;
  /**
   * Returns its URL, synchronously if it is known, because Safari allows playback only during the tap. If the bytes
   * must be read first, a promise of an object URL, which the player revokes. Null if there is nothing to play.
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
  /** Why playback failed. */
  error: PlaybackError | null;
}

const STOPPED: PlaybackState = { track: null, isPlaying: false, at: 0, length: null, error: null };
const DEFAULT_SEEK_SECONDS = 10;

/** The playback state. One audio element serves the whole page, so that two recordings never play at once. */
export const playback = createSlot<PlaybackState>(STOPPED);
let element: HTMLAudioElement | null = null;
/** The object URL that this player must revoke. */
let objectUrl: string | null = null;
/** The tracks for previous and next on the lock screen. */
let queue: readonly Track[] = [];

const change = (part: Partial<PlaybackState>) => playback.set({ ...playback.get(), ...part });
const getLength = ({ duration }: HTMLAudioElement) => (Number.isFinite(duration) ? duration : null);

function makeElement(): HTMLAudioElement {
  const audio = new Audio();
  audio.preload = 'metadata';
  audio.addEventListener('timeupdate', () => change({ at: audio.currentTime }));
  audio.addEventListener('durationchange', () => {
    change({ length: getLength(audio) });
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
      .then((error) => {
        if (playback.get().track === track) change({ error });
      })
      .catch(reportError);
  });
  return audio;
}

function revokeObjectUrl(): void {
  if (objectUrl !== null) URL.revokeObjectURL(objectUrl);
  objectUrl = null;
}

/** Loads a URL. Synchronous, so that `play` continues within the tap. */
function load(audio: HTMLAudioElement, track: Track, source: string): void {
  audio.src = source;
  updateMediaSession(track);
}

/**
 * Plays a recording from its last position and stops any other.
 * @param among the list of tracks for previous and next
 * @param from position in seconds
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
      // Another track was started in the meantime.
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
  // Until the metadata is loaded, the browser keeps this as the start position.
  if (from !== undefined) seek(from);
  try {
    await audio.play();
  } catch (error) {
    // The error event reports unplayable media; a play interrupted by another one is not an error.
    if (!(error instanceof DOMException)) throw error;
  }
}

export function pause(): void {
  element?.pause();
}

/** Seeks the loaded recording to a position in seconds. */
export function seek(to: number): void {
  if (!element) return;
  element.currentTime = to;
  change({ at: to });
}

/** Stops playback and unloads the recording. */
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

/** Sets the title and the buttons on the lock screen. */
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
      // The browser does not support this action.
    }
  }
}

function updatePositionState(): void {
  const duration = element && getLength(element);
  if (!element || !duration || !('mediaSession' in navigator) || !navigator.mediaSession.setPositionState) return;
  navigator.mediaSession.setPositionState({
    duration,
    position: Math.min(element.currentTime, duration),
    playbackRate: element.playbackRate,
  });
}
