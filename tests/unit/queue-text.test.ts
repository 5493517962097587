import { describe, expect, it } from 'vitest';
import type { Reason } from '#db/rows.ts';
import type { QueueSummary, WaitingItem } from '#db/views.ts';
import { resolutionsFor, getDiscardText } from '#features/sync-status/resolutions.ts';
import {
  getAnnouncement,
  getQueueOutlook,
  getPillText,
  getDelayText,
  getQueueTitle,
} from '#features/sync-status/queue-text.ts';
import { outboxRow } from '../support/outbox-row.ts';

const queue = (counts: Partial<QueueSummary> = {}): QueueSummary => ({
  waiting: 0,
  sending: 0,
  needs: 0,
  signInNeeded: false,
  ...counts,
});

describe('the pill in the bar', () => {
  it('is not there when all is saved', () => {
    expect(getPillText(queue())).toBeNull();
    expect(getPillText(queue({ signInNeeded: true }))).toBeNull();
  });

  it('shows what needs the person before what moves by itself', () => {
    expect(getPillText(queue({ waiting: 3 }))?.short).toBe('3 waiting');
    expect(getPillText(queue({ waiting: 1, sending: 1 }))?.short).toBe('Sending 2');
    expect(getPillText(queue({ waiting: 3, sending: 1, needs: 1 }))?.short).toBe('1 needs you');
    expect(getPillText(queue({ needs: 1, signInNeeded: true }))?.short).toBe('Sign in to send');
  });

  it('is spoken as a sentence', () => {
    expect(getPillText(queue({ needs: 1 }))?.spoken).toBe('1 change needs you');
    expect(getPillText(queue({ needs: 2 }))?.spoken).toBe('2 changes need you');
    expect(getPillText(queue({ waiting: 1 }))?.spoken).toBe('1 change waiting to send');
  });
});

describe('what a screen reader hears of the queue', () => {
  it('says where a change is, that it goes out and that all is saved', () => {
    expect(getAnnouncement(queue(), queue({ waiting: 1 }), 'phone')).toBe('1 change safe on this phone.');
    expect(getAnnouncement(queue({ waiting: 2 }), queue({ waiting: 1, sending: 1 }), 'phone')).toBe(
      'Sending 2 changes.',
    );
    expect(getAnnouncement(queue({ sending: 1 }), queue(), 'phone')).toBe('All changes saved.');
  });

  it('says once that the person is needed', () => {
    expect(getAnnouncement(queue({ sending: 1 }), queue({ needs: 1 }), 'phone')).toBe('1 change needs you.');
    expect(getAnnouncement(queue({ needs: 1, waiting: 2 }), queue({ needs: 1, waiting: 1 }), 'phone')).toBeNull();
    expect(getAnnouncement(queue({ waiting: 2 }), queue({ waiting: 2, signInNeeded: true }), 'phone')).toBe(
      'Sign in again to send 2 changes.',
    );
  });

  it('keeps still while a long queue shrinks', () => {
    expect(getAnnouncement(queue({ sending: 1, waiting: 8 }), queue({ sending: 1, waiting: 7 }), 'phone')).toBeNull();
    expect(getAnnouncement(queue(), queue(), 'phone')).toBeNull();
  });
});

describe('the first card of Waiting to send', () => {
  it('tells the whole truth in one line', () => {
    expect(getQueueTitle(queue({ waiting: 3, sending: 1, needs: 1 }), 'phone')).toBe(
      '5 changes, all safe on this phone',
    );
    expect(getQueueTitle(queue({ waiting: 1 }), 'computer')).toBe('1 change, safe on this computer');
    expect(getQueueTitle(queue(), 'phone')).toBe('Everything is saved');
  });

  it('says what happens next', () => {
    expect(getQueueOutlook(queue({ waiting: 1 }), false)).toBe('No signal. It will send when you’re back online.');
    expect(getQueueOutlook(queue({ needs: 1 }), true)).toBe('');
    expect(getQueueOutlook(queue({ waiting: 1 }), true)).toBe('No connection. We keep trying.');
    expect(getQueueOutlook(queue({ waiting: 1 }), true, true)).toMatch(/^This Wi-Fi wants you to sign in/);
    expect(getQueueOutlook(queue({ waiting: 1, signInNeeded: true }), true)).toContain('sign in');
  });
});

describe('a change that moves by itself', () => {
  it('says that the server is full and that it is tried again', () => {
    expect(getDelayText({ isServerFull: true })).toBe('The server is full. We keep trying.');
    expect(getDelayText({})).toBeNull();
  });
});

const REASONS: Reason[] = [
  'invalid',
  'conflict',
  'forbidden',
  'toobig',
  'wrongtype',
  'gone',
  'stale',
  'unknown-op',
  'suspect',
  'unsure',
  'failed',
];

function waitingItem(reason: Reason, row: Partial<WaitingItem['row']> = {}): WaitingItem {
  return {
    op: 'op',
    title: 'Credit: Paper Boats',
    state: 'needs',
    blocked: false,
    row: outboxRow({ baseVersion: 1, state: 'attention', reason, tries: 1, sentOnce: true, ...row }),
  };
}

describe('every reason a change can need the person', () => {
  it.each(REASONS)('%s has a message and at least two ways out', (reason) => {
    const cure = resolutionsFor(waitingItem(reason), 0);
    expect(cure.message).not.toBe('');
    expect(new Set(cure.resolutions.map((way) => way.action)).size).toBeGreaterThanOrEqual(2);
  });

  it('says what the server said of the field', () => {
    const item = waitingItem('invalid', {
      lastError: { status: 422, message: 'The form has mistakes.', errors: { details: ['Add the role you played'] } },
    });
    expect(resolutionsFor(item, 0).message).toBe('Add the role you played. What you typed is safe.');
  });

  it('gives a message back to who wrote it, and has no form to mend it in', () => {
    const said = { kind: 'send', type: 'message', patch: { message: 'On my way', name: 'Devika' } } as const;
    for (const reason of ['invalid', 'forbidden', 'gone', 'unknown-op'] as const) {
      const { resolutions: ways } = resolutionsFor(waitingItem(reason, said), 0);
      expect(ways.map(({ action }) => action)).toEqual(expect.arrayContaining(['copy', 'discard']));
      expect(ways.map(({ action }) => action)).not.toContain('fix');
    }
  });

  it('asks whether a delete should win over a change made elsewhere', () => {
    expect(resolutionsFor(waitingItem('conflict', { kind: 'delete' }), 0).resolutions.map((way) => way.label)).toEqual([
      'Delete it',
      'Keep it',
    ]);
  });

  it('says how long ago a stale change was written, and how large a large file is', () => {
    expect(resolutionsFor(waitingItem('stale'), 3 * 86_400_000).message).toBe('Written 3 days ago. Send now?');
    const item = waitingItem('toobig', { type: 'media', kind: 'create' });
    item.upload = { mediaId: 'm', sent: 0, size: 13_002_342, name: 'a.jpg' };
    expect(resolutionsFor(item, 0).message).toBe('12.40 MB. The limit is 10 MB.');
    expect(resolutionsFor(item, 0, 5 * 1024 * 1024).message).toBe('12.40 MB. The limit is 5 MB.');
  });

  const labels = (item: WaitingItem) => resolutionsFor(item, 0).resolutions.map((way) => way.label);
  const medium = (mediaType: string, reason: Reason, row: Partial<WaitingItem['row']> = {}): WaitingItem => ({
    ...waitingItem(reason, { type: 'media', kind: 'create', ...row }),
    mediaType,
  });
  const refusal = (field: string) => ({
    lastError: { status: 422, message: 'Refused', errors: { [field]: ['Name it'] } },
  });

  it('offers the form for a refused field of a medium, and other files only for a refused file', () => {
    expect(labels(medium('video', 'invalid', refusal('name')))).toEqual(['Fix it', 'Discard']);
    expect(labels(medium('youtube', 'invalid', refusal('role')))).toEqual(['Fix it', 'Discard']);
    const link = { ...refusal('youtube_url'), patch: { youtube_url: 'https://youtu.be/x' } };
    expect(labels(medium('video', 'invalid', link))).toEqual(['Fix it', 'Discard']);
    expect(labels(medium('image', 'invalid', refusal('files')))).toEqual(['Turn into JPEG', 'Remove']);
    expect(labels(medium('audio', 'invalid', refusal('files')))).toEqual(['Remove']);
    // Of fields that only forms of another kind have.
    expect(labels(medium('document', 'invalid', refusal('role')))).toEqual(['Remove']);
  });

  it('offers to send a file again that the server had no room for in its quota', () => {
    expect(labels(medium('audio', 'invalid', refusal('storage')))).toEqual(['Try again', 'Remove']);
    expect(labels(medium('image', 'invalid', refusal('storage')))).toEqual(['Try again', 'Remove']);
  });

  it('draws nothing but pictures anew', () => {
    expect(labels(medium('image', 'toobig'))).toEqual(['Make smaller', 'Remove']);
    expect(labels(medium('video', 'toobig', { type: 'upload', kind: 'upload' }))).toEqual(['Remove']);
    expect(resolutionsFor(medium('video', 'wrongtype'), 0)).toMatchObject({
      message: 'This type of file can’t be used. Videos must be MP4, AVI or MOV.',
      resolutions: [{ label: 'Remove' }],
    });
    expect(labels(waitingItem('wrongtype', { type: 'profile', kind: 'avatar' }))).toEqual(['Turn into JPEG', 'Remove']);
  });

  it('says that a refused deletion of a medium failed, and offers both ways', () => {
    const cure = resolutionsFor(medium('audio', 'invalid', { kind: 'delete', ...refusal('id') }), 0);
    expect(cure.message).toBe('Failed to delete media. Please try again.');
    expect(cure.resolutions.map((way) => way.label)).toEqual(['Try again', 'Keep it']);
  });

  it('offers no form for a refused deletion: it is tried again, or the record stays', () => {
    for (const reason of ['invalid', 'forbidden'] as const) {
      expect(labels(waitingItem(reason, { kind: 'delete' }))).toEqual(['Try again', 'Keep it']);
    }
  });

  it('offers words to copy only where the person wrote some', () => {
    const wish = { kind: 'save', type: 'saved_profile', patch: { saved: true } } as const;
    for (const reason of ['failed', 'unknown-op'] as const) {
      expect(labels(waitingItem(reason))).toContain('Copy text');
      expect(labels(waitingItem(reason, wish))).not.toContain('Copy text');
      expect(labels(waitingItem(reason, { kind: 'delete' }))).not.toContain('Copy text');
      expect(labels(waitingItem(reason, { type: 'profile', kind: 'avatar' }))).not.toContain('Copy text');
    }
  });

  it('says of a wish what is no longer there', () => {
    const gone = (row: Partial<WaitingItem['row']>) => resolutionsFor(waitingItem('gone', row), 0).message;
    expect(gone({ kind: 'save', type: 'conversation' })).toBe('The conversation is closed.');
    expect(gone({ kind: 'save', type: 'saved_media' })).toBe('It is no longer on Callboard.');
    expect(gone({ kind: 'save', type: 'saved_profile' })).toBe('They are no longer on Callboard.');
    expect(gone({ kind: 'accept', type: 'person' })).toBe('They withdrew their request.');
  });

  it('says of an old wish, and of one that is too new for this app, what it says of anything else', () => {
    const wish = { kind: 'connect', type: 'person' } as const;
    expect(resolutionsFor(waitingItem('stale', wish), 3 * 86_400_000).message).toBe('Written 3 days ago. Send now?');
    expect(resolutionsFor(waitingItem('unknown-op', wish), 0).message).toBe('Update the app to send this.');
  });

  it('says before a change is discarded what becomes of it', () => {
    const words = (row: Partial<WaitingItem['row']>) => getDiscardText(waitingItem('forbidden', row));
    expect(words({})).toBe('Credit: Paper Boats. What you wrote here will be gone for good.');
    expect(words({ kind: 'delete' })).toBe('Credit: Paper Boats. It stays as it is.');
    expect(words({ kind: 'accept', type: 'person' })).toBe('Credit: Paper Boats. This will not be sent.');
  });

  it('has no way to make a deleted medium again', () => {
    expect(labels(medium('audio', 'gone', { kind: 'update' }))).toEqual(['Copy text', 'Discard']);
  });
});
