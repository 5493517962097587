import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MEDIA_KINDS, getMediaKind } from '#contract/media-kinds.ts';
import type { MediaType } from '#contract/media-types.ts';
import {
  getAcceptAttribute,
  canSave,
  getDraftId,
  getKeepText,
  getFileStatusText,
  listTaken,
  validateFile,
  toTitle,
  capacityFor,
  type PickedFile,
} from '#shared/picked-files/picked-files.ts';
import { megabytes, formatFileTypes } from '#lib/file-types-text.ts';

const MB = 1024 * 1024;
const kind = (key: MediaType) => getMediaKind(key)!;
const stateOf = (key: MediaType, name: string, type: string, size = 1) =>
  validateFile(kind(key), { name, type, size }, 10 * MB).state;
const picked = (state: PickedFile['state'], over: Partial<PickedFile> = {}): PickedFile => ({
  key: state,
  name: 'a.jpg',
  title: 'a',
  sizeBytes: 200,
  state,
  storedBytes: 0,
  ...over,
});

describe('a shared file', () => {
  const file = new File(['x'], 'a', { type: 'image/heic' });
  const isTaken = (key: MediaType, state: PickedFile['state'], over: Partial<PickedFile> = {}) =>
    listTaken(
      kind(key),
      [file],
      [picked('stored', { mediaId: 'other' }), picked(state, { picked: file, file, ...over })],
    ).length === 1;

  it('may be forgotten once it is stored, also while a smaller copy is being made', () => {
    expect(isTaken('image', 'storing')).toBe(false);
    expect(isTaken('image', 'stored', { mediaId: '1' })).toBe(true);
    // After the person has made it smaller.
    expect(isTaken('image', 'stored', { mediaId: '1', file: new File([], 'b') })).toBe(true);
    expect(isTaken('video', 'making')).toBe(false);
    expect(isTaken('video', 'making', { mediaId: '1' })).toBe(true);
  });

  it('may be forgotten once it is rejected for good or removed', () => {
    expect(isTaken('image', 'toobig')).toBe(false);
    expect(isTaken('image', 'wrongtype')).toBe(false);
    expect(isTaken('video', 'toobig')).toBe(true);
    expect(isTaken('audio', 'wrongtype')).toBe(true);
    expect(isTaken('image', 'error', { canRetry: true })).toBe(false);
    expect(isTaken('image', 'error')).toBe(true);
    expect(listTaken(kind('image'), [file], [])).toEqual([file]);
  });
});

describe('a video that is made smaller', () => {
  const context = { kind: kind('video'), maxBytes: 500 * MB, isOnline: true, device: 'phone' };
  const textOf = (over: Partial<PickedFile>, state: PickedFile['state'] = 'making') =>
    getFileStatusText(picked(state, over), context);

  it('says how far it is, and how long it will take', () => {
    expect(textOf({})).toBe('Checking the video');
    expect(textOf({ made: { done: 43, total: 100 } })).toBe('Making it smaller, 43%');
    expect(textOf({ made: { done: 43, total: 100, secondsLeft: 125 } })).toBe(
      'Making it smaller, 43%, about 2 min left',
    );
    expect(textOf({ made: { done: 43, total: 100, secondsLeft: 125 }, isPaused: true })).toBe('Paused at 43%');
    expect(textOf({ made: { done: 43, total: 100 }, take: { id: 'a', range: null } })).toBe('Making the MP4, 43%');
  });

  it('says why the original is sent instead', () => {
    expect(textOf({ kept: 'small' }, 'stored')).toBe('Safe on this phone');
    expect(textOf({ kept: 'unsupported' }, 'stored')).toBe(
      'Safe on this phone. This phone can’t make it smaller, so the original is sent.',
    );
    expect(textOf({ kept: 'memory' }, 'toobig')).toBe(
      'Over 500 MB, and this phone can’t make it smaller. Open this on a computer',
    );
  });

  it('stays in the draft as the original until its copy is stored, and a take as the take', () => {
    expect(getDraftId(picked('making', { mediaId: 'original' }))).toBe('original');
    expect(getDraftId(picked('making'))).toBeNull();
    expect(getDraftId(picked('making', { take: { id: 'one', range: null } }))).toBe('take:one');
    expect(getDraftId(picked('error', { take: { id: 'one', range: null } }))).toBe('take:one');
    expect(getDraftId(picked('stored', { mediaId: 'copy', take: { id: 'one', range: null } }))).toBe('copy');
  });

  it('has to be ready before it is sent', () => {
    expect(canSave([picked('stored'), picked('making')])).toBe(false);
  });
});

describe('picked files', () => {
  it('are taken up to the limit', () => {
    expect(stateOf('image', 'a.jpg', 'image/jpeg', 10 * MB)).toBe('storing');
    expect(stateOf('image', 'a.png', 'image/png', 10 * MB + 1)).toBe('toobig');
    expect(stateOf('video', 'a.mp4', 'video/mp4', 11 * MB)).toBe('toobig');
    expect(validateFile(kind('audio'), { name: 'a.wav', type: 'audio/wav', size: 3 * MB }, 2 * MB).state).toBe(
      'toobig',
    );
  });

  it('are of the kind of their sheet', () => {
    expect(stateOf('image', 'a.webp', 'image/webp')).toBe('wrongtype');
    expect(stateOf('image', 'a', '')).toBe('wrongtype');
    expect(stateOf('video', 'a.mkv', 'video/x-matroska')).toBe('wrongtype');
    expect(stateOf('audio', 'a.flac', 'audio/flac')).toBe('wrongtype');
    expect(stateOf('document', 'a.pages', '')).toBe('wrongtype');
  });

  it('are known by their ending where the system names their type in its own way', () => {
    expect(stateOf('audio', 'Reel.WAV', 'audio/x-wav')).toBe('storing');
    expect(stateOf('audio', 'reel.aac', 'audio/vnd.dlna.adts')).toBe('storing');
    expect(stateOf('audio', 'reel.ogg', 'video/ogg')).toBe('storing');
    expect(stateOf('video', 'reel.avi', '')).toBe('storing');
    for (const type of ['audio/mp4', 'audio/x-m4a', 'audio/m4a', '']) {
      expect(stateOf('audio', 'Memo.M4A', type)).toBe('storing');
    }
    expect(stateOf('document', 'cv.docx', 'application/octet-stream')).toBe('storing');
  });

  it('that are empty say so', () => {
    expect(validateFile(kind('document'), { name: 'cv.pdf', type: 'application/pdf', size: 0 }, 10 * MB)).toEqual({
      state: 'error',
      problem: 'This file is empty. Remove it',
    });
  });

  it('are so many at a time as their kind allows, the rest is counted', () => {
    expect(capacityFor(kind('image'), 0, 12)).toEqual({ accepted: 10, rejected: 2 });
    expect(capacityFor(kind('image'), 9, 1)).toEqual({ accepted: 1, rejected: 0 });
    expect(capacityFor(kind('video'), 0, 7)).toEqual({ accepted: 6, rejected: 1 });
    expect(capacityFor(kind('audio'), 6, 3)).toEqual({ accepted: 0, rejected: 3 });
  });

  it('can be saved as soon as nothing is being stored, whatever else is wrong', () => {
    expect(canSave([picked('stored'), picked('storing')])).toBe(false);
    expect(canSave([picked('stored'), picked('toobig'), picked('wrongtype'), picked('error')])).toBe(true);
    expect(canSave([])).toBe(true);
  });

  it('are named after their files', () => {
    expect(toTitle('Headshot_warm_light.jpeg')).toBe('Headshot warm light');
    expect(toTitle('plain')).toBe('plain');
  });
});

describe('words of a picked file', () => {
  const words = (file: PickedFile, key: MediaType, isOnline = true) =>
    getFileStatusText(file, { kind: kind(key), maxBytes: 10 * MB, isOnline, device: 'phone' });

  it('say where it is', () => {
    expect(words(picked('storing', { storedBytes: 142 }), 'audio')).toBe('Storing on this phone, 71%');
    expect(words(picked('stored'), 'audio')).toBe('Safe on this phone');
    expect(words(picked('stored'), 'audio', false)).toBe('Safe on this phone. It will send when you’re back online.');
  });

  it('offer to make a photo smaller, and nothing of the sort for the others', () => {
    expect(words(picked('toobig'), 'image')).toBe('Over 10 MB. Make it smaller or remove it');
    expect(words(picked('toobig'), 'video')).toBe('Over 10 MB. Remove it');
  });

  it('name what would be taken', () => {
    expect(words(picked('wrongtype'), 'image')).toBe('Not JPG or PNG. Remove it');
    expect(words(picked('wrongtype'), 'video')).toBe('Not MP4, AVI, MOV or WEBM. Remove it');
    expect(formatFileTypes(kind('audio'))).toBe('MP3, M4A, WAV, AAC or OGG');
    expect(formatFileTypes(kind('document'))).toBe('DOC, DOCX or PDF');
  });

  it('tell the limit as people write it', () => {
    expect(megabytes(10 * MB)).toBe('10');
    expect(megabytes(2.5 * MB)).toBe('2.5');
  });

  it('let the picker offer types and endings, of photos types alone', () => {
    expect(getAcceptAttribute(kind('image'))).toBe('image/jpeg,image/png');
    expect(getAcceptAttribute(kind('video'))).toBe(
      'video/mp4,video/x-msvideo,video/quicktime,video/webm,.mp4,.avi,.mov,.webm',
    );
  });
});

describe('the manifest', () => {
  interface Manifest {
    share_target: { params: { files: { accept: string[] }[] } };
    file_handlers: { accept: Record<string, string[]> }[];
  }
  const manifest = JSON.parse(readFileSync('public/manifest.webmanifest', 'utf8')) as Manifest;

  it('opens every ending that a portfolio takes', () => {
    const handled = manifest.file_handlers.flatMap(({ accept }) => Object.values(accept).flat());
    const taken = MEDIA_KINDS.flatMap(({ types }) => Object.values(types).flat());
    expect(taken.filter((ending) => !handled.includes(ending))).toEqual([]);
  });

  it('takes voice memos that another app shares, whatever their type is called', () => {
    const accepted = manifest.share_target.params.files.flatMap(({ accept }) => accept);
    expect(accepted).toEqual(expect.arrayContaining(['audio/mp4', 'audio/x-m4a', '.m4a']));
  });
});

it('the question before closing says which files would have to be chosen again', () => {
  const kept = 'The photos stay on this phone.';
  expect(getKeepText([picked('stored', { mediaId: 'one' })], kept)).toBe(kept);
  const copying = [picked('storing'), picked('stored', { mediaId: 'one' })];
  expect(getKeepText(copying, kept)).toBe('1 file is not stored yet. If you close this now, choose it again later.');
  expect(getKeepText([picked('storing'), picked('error')], kept)).toMatch(
    /^2 files are not stored yet\. .* them again/,
  );
});
