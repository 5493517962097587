import { describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import type { Reason } from '#db/rows.ts';
import type { QueueSummary, WaitingItem } from '#db/views.ts';
import { resolutionsFor, getDiscardText } from '#features/sync-status/resolutions.ts';
import { getAnnouncement, getPillText } from '#features/sync-status/queue-text.ts';
import { getDelayText, getQueueOutlook, getQueueTitle } from '#features/sync-status/waiting-text.ts';
import { outboxRow } from '../support/outbox-row.ts';

const queue = (counts: Partial<QueueSummary> = {}): QueueSummary => ({
  waiting: 0,
  sending: 0,
  needs: 0,
  signInNeeded: false,
  isSuspended: false,
  ...counts,
});

describe('getPillText', () => {
  it('returns null when everything is saved', () => {
    expect(getPillText(queue())).toBeNull();
    expect(getPillText(queue({ signInNeeded: true }))).toBeNull();
  });

  it('shows changes that need attention before pending ones', () => {
    expect(getPillText(queue({ waiting: 3 }))?.short).toBe('3 waiting');
    expect(getPillText(queue({ waiting: 1, sending: 1 }))?.short).toBe('Sending 2');
    expect(getPillText(queue({ waiting: 3, sending: 1, needs: 1 }))?.short).toBe('1 needs you');
    expect(getPillText(queue({ needs: 1, signInNeeded: true }))?.short).toBe('Sign in to send');
  });

  it('returns a sentence for screen readers', () => {
    expect(getPillText(queue({ needs: 1 }))?.spoken).toBe('1 change needs you');
    expect(getPillText(queue({ needs: 2 }))?.spoken).toBe('2 changes need you');
    expect(getPillText(queue({ waiting: 1 }))?.spoken).toBe('1 change waiting to send');
  });
});

describe('getAnnouncement', () => {
  it('announces that a change is stored, sending and saved', () => {
    expect(getAnnouncement(queue(), queue({ waiting: 1 }), 'phone')).toBe('1 change safe on this phone.');
    expect(getAnnouncement(queue({ waiting: 2 }), queue({ waiting: 1, sending: 1 }), 'phone')).toBe(
      'Sending 2 changes.',
    );
    expect(getAnnouncement(queue({ sending: 1 }), queue(), 'phone')).toBe('All changes saved.');
  });

  it('announces once that the user is needed', () => {
    expect(getAnnouncement(queue({ sending: 1 }), queue({ needs: 1 }), 'phone')).toBe('1 change needs you.');
    expect(getAnnouncement(queue({ needs: 1, waiting: 2 }), queue({ needs: 1, waiting: 1 }), 'phone')).toBeNull();
    expect(getAnnouncement(queue({ waiting: 2 }), queue({ waiting: 2, signInNeeded: true }), 'phone')).toBe(
      'Sign in again to send 2 changes.',
    );
  });

  it('announces nothing while a long queue shrinks', () => {
    expect(getAnnouncement(queue({ sending: 1, waiting: 8 }), queue({ sending: 1, waiting: 7 }), 'phone')).toBeNull();
    expect(getAnnouncement(queue(), queue(), 'phone')).toBeNull();
  });
});

describe('the headline of Waiting to send', () => {
  it('counts all unsent changes', () => {
    expect(getQueueTitle(queue({ waiting: 3, sending: 1, needs: 1 }), 'phone')).toBe(
      '5 changes, all safe on this phone',
    );
    expect(getQueueTitle(queue({ waiting: 1 }), 'computer')).toBe('1 change, safe on this computer');
    expect(getQueueTitle(queue(), 'phone')).toBe('Everything is saved');
  });

  it('explains what happens next', () => {
    expect(getQueueOutlook(queue({ waiting: 1 }), false)).toBe('No signal. It will send when you’re back online.');
    expect(getQueueOutlook(queue({ needs: 1 }), true)).toBe('');
    expect(getQueueOutlook(queue({ waiting: 1 }), true)).toBe('No connection. We keep trying.');
    expect(getQueueOutlook(queue({ waiting: 1 }), true, { isPortal: true })).toMatch(
      /^This Wi-Fi wants you to sign in/,
    );
    expect(getQueueOutlook(queue({ waiting: 1 }), true, { isWifiAwaited: true })).toMatch(/on Wi-Fi/);
    expect(getQueueOutlook(queue({ waiting: 1 }), false, { isWifiAwaited: true })).toMatch(/^No signal/);
    expect(getQueueOutlook(queue({ waiting: 1, signInNeeded: true }), true)).toContain('sign in');
  });
});

describe('getDelayText', () => {
  it('explains that the server is full', () => {
    expect(getDelayText({ isServerFull: true })).toBe('The server is full. We keep trying.');
    expect(getDelayText({ waitsForWifi: true })).toMatch(/^Waiting for Wi-Fi/);
    expect(getDelayText({})).toBeNull();
  });
});

const REASONS: Reason[] = [
  'invalid',
  'conflict',
  'forbidden',
  'unconfirmed',
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
    changeOp: 'op',
    title: 'Credit: Paper Boats',
    state: 'needs',
    blocked: false,
    row: outboxRow({ baseVersion: 1, state: 'attention', reason, tries: 1, sentOnce: true, ...row }),
  };
}

describe('resolutionsFor', () => {
  it.each(REASONS)('returns a message and at least two resolutions for %s', (reason) => {
    const prompt = resolutionsFor(waitingItem(reason), 0);
    expect(prompt.message).not.toBe('');
    expect(new Set(prompt.resolutions.map((resolution) => resolution.action)).size).toBeGreaterThanOrEqual(2);
  });

  it('shows the server’s error for the field', () => {
    const item = waitingItem('invalid', {
      lastError: { status: 422, message: 'The form has mistakes.', errors: { details: ['Add the role you played'] } },
    });
    expect(resolutionsFor(item, 0).message).toBe('Add the role you played. What you typed is safe.');
  });

  it('offers to copy or discard a refused message, but not to edit it', () => {
    const message = { kind: 'send', type: 'message', patch: { message: 'On my way', name: 'Devika' } } as const;
    for (const reason of ['invalid', 'forbidden', 'gone', 'unknown-op'] as const) {
      const { resolutions } = resolutionsFor(waitingItem(reason, message), 0);
      expect(resolutions.map(({ action }) => action)).toEqual(expect.arrayContaining(['copy', 'discard']));
      expect(resolutions.map(({ action }) => action)).not.toContain('fix');
    }
  });

  it('offers to delete or keep a record that changed on another device', () => {
    expect(
      resolutionsFor(waitingItem('conflict', { kind: 'delete' }), 0).resolutions.map((resolution) => resolution.label),
    ).toEqual(['Delete it', 'Keep it']);
  });

  it('shows the age of a stale change and the size of a large file', () => {
    expect(resolutionsFor(waitingItem('stale'), 3 * 86_400_000).message).toBe('Written 3 days ago. Send now?');
    const item = waitingItem('toobig', { type: 'media', kind: 'create' });
    item.upload = { mediaId: 'm', sent: 0, size: 13_002_342, name: 'a.jpg', type: 'image/jpeg' };
    expect(resolutionsFor(item, 0).message).toBe('12.40 MB. The limit is 10 MB.');
    expect(resolutionsFor(item, 0, { ...LIMITS.fileBytes, image: 5 * 1024 * 1024 }).message).toBe(
      '12.40 MB. The limit is 5 MB.',
    );
  });

  it('shows the limit of the kind that a refused file is of', () => {
    const item = { ...waitingItem('toobig', { type: 'media', kind: 'create' }), mediaType: 'video' };
    expect(resolutionsFor(item, 0).message).toContain('limit is 500 MB.');
  });

  const labels = (item: WaitingItem) => resolutionsFor(item, 0).resolutions.map((resolution) => resolution.label);
  const mediaItem = (mediaType: string, reason: Reason, row: Partial<WaitingItem['row']> = {}): WaitingItem => ({
    ...waitingItem(reason, { type: 'media', kind: 'create', ...row }),
    mediaType,
  });
  const refusedField = (field: string) => ({
    lastError: { status: 422, message: 'Refused', errors: { [field]: ['Name it'] } },
  });

  it('offers the form for a refused field of a media item, and file resolutions for a refused file', () => {
    expect(labels(mediaItem('video', 'invalid', refusedField('name')))).toEqual(['Fix it', 'Discard']);
    expect(labels(mediaItem('youtube', 'invalid', refusedField('role')))).toEqual(['Fix it', 'Discard']);
    const link = { ...refusedField('youtube_url'), patch: { youtube_url: 'https://youtu.be/x' } };
    expect(labels(mediaItem('video', 'invalid', link))).toEqual(['Fix it', 'Discard']);
    expect(labels(mediaItem('image', 'invalid', refusedField('files')))).toEqual(['Turn into JPEG', 'Remove']);
    expect(labels(mediaItem('audio', 'invalid', refusedField('files')))).toEqual(['Remove']);
    // A field that only the forms of other kinds have.
    expect(labels(mediaItem('document', 'invalid', refusedField('role')))).toEqual(['Remove']);
  });

  it('offers to send a file again that exceeded the quota', () => {
    expect(labels(mediaItem('audio', 'invalid', refusedField('storage')))).toEqual(['Try again', 'Remove']);
    expect(labels(mediaItem('image', 'invalid', refusedField('storage')))).toEqual(['Try again', 'Remove']);
  });

  it('offers to convert images only', () => {
    expect(labels(mediaItem('image', 'toobig'))).toEqual(['Make smaller', 'Remove']);
    expect(labels(mediaItem('video', 'toobig', { type: 'upload', kind: 'upload' }))).toEqual(['Remove']);
    expect(resolutionsFor(mediaItem('video', 'wrongtype'), 0)).toMatchObject({
      message: 'This type of file can’t be used. Videos must be MP4, AVI, MOV or WEBM.',
      resolutions: [{ label: 'Remove' }],
    });
    expect(labels(waitingItem('wrongtype', { type: 'profile', kind: 'avatar' }))).toEqual(['Turn into JPEG', 'Remove']);
  });

  it('takes the kind of a file that goes with a tape or a request from the file', () => {
    const refused = (file: { name: string; type: string }, reason: Reason): WaitingItem => ({
      ...waitingItem(reason, { type: 'upload', kind: 'upload' }),
      upload: { mediaId: 'm', sent: 0, size: 600 * 1024 * 1024, ...file },
    });
    const take = { name: 'take.mp4', type: 'video/mp4' };
    expect(resolutionsFor(refused(take, 'toobig'), 0).message).toContain('limit is 500 MB.');
    expect(labels(refused(take, 'toobig'))).toEqual(['Remove']);
    expect(labels(refused({ name: 'Scene 14.PDF', type: '' }, 'wrongtype'))).toEqual(['Remove']);
    expect(resolutionsFor(refused({ name: 'sides.pdf', type: 'application/pdf' }, 'wrongtype'), 0).message).toBe(
      'This type of file can’t be used. It must be a PDF.',
    );
    expect(labels(refused({ name: 'me.webp', type: 'image/webp' }, 'wrongtype'))).toEqual(['Turn into JPEG', 'Remove']);
  });

  it('offers to retry or drop a refused delete of a media item', () => {
    const prompt = resolutionsFor(mediaItem('audio', 'invalid', { kind: 'delete', ...refusedField('id') }), 0);
    expect(prompt.message).toBe('Failed to delete media. Please try again.');
    expect(prompt.resolutions.map((resolution) => resolution.label)).toEqual(['Try again', 'Keep it']);
  });

  it.each(['project_member', 'candidate'])(
    'offers to send a refused change of a %s again, which has no form',
    (type) => {
      const refused = { type, lastError: { status: 409, message: 'They have left the project' } };
      expect(resolutionsFor(waitingItem('invalid', refused), 0)).toEqual({
        message: 'They have left the project.',
        resolutions: [
          { action: 'send', label: 'Send again' },
          { action: 'discard', label: 'Discard' },
        ],
      });
    },
  );

  it('offers no form for a refused delete', () => {
    for (const reason of ['invalid', 'forbidden'] as const) {
      expect(labels(waitingItem(reason, { kind: 'delete' }))).toEqual(['Try again', 'Keep it']);
    }
  });

  it('offers Copy text only for changes with text', () => {
    const intent = { kind: 'save', type: 'saved_profile', patch: { saved: true } } as const;
    for (const reason of ['failed', 'unknown-op'] as const) {
      expect(labels(waitingItem(reason))).toContain('Copy text');
      expect(labels(waitingItem(reason, intent))).not.toContain('Copy text');
      expect(labels(waitingItem(reason, { kind: 'delete' }))).not.toContain('Copy text');
      expect(labels(waitingItem(reason, { type: 'profile', kind: 'avatar' }))).not.toContain('Copy text');
    }
  });

  it('explains what an intent was about that is gone', () => {
    const gone = (row: Partial<WaitingItem['row']>) => resolutionsFor(waitingItem('gone', row), 0).message;
    expect(gone({ kind: 'save', type: 'conversation' })).toBe('The conversation is closed.');
    expect(gone({ kind: 'save', type: 'saved_media' })).toBe('It is no longer on Callboard.');
    expect(gone({ kind: 'save', type: 'saved_profile' })).toBe('They are no longer on Callboard.');
    expect(gone({ kind: 'accept', type: 'person' })).toBe('They withdrew their request.');
  });

  it('shows the usual message for stale and unknown intents', () => {
    const intent = { kind: 'connect', type: 'person' } as const;
    expect(resolutionsFor(waitingItem('stale', intent), 3 * 86_400_000).message).toBe('Written 3 days ago. Send now?');
    expect(resolutionsFor(waitingItem('unknown-op', intent), 0).message).toBe('Update the app to send this.');
  });

  it('explains what happens to a discarded change', () => {
    const words = (row: Partial<WaitingItem['row']>) => getDiscardText(waitingItem('forbidden', row));
    expect(words({})).toBe('Credit: Paper Boats. What you wrote here will be gone for good.');
    expect(getDiscardText({ ...waitingItem('forbidden'), title: 'Feedback: Never late.' })).toBe(
      'Feedback: Never late. What you wrote here will be gone for good.',
    );
    expect(words({ kind: 'delete' })).toBe('Credit: Paper Boats. It stays as it is.');
    expect(words({ kind: 'accept', type: 'person' })).toBe('Credit: Paper Boats. This will not be sent.');
  });

  it('does not say that a file is lost which other requests use too', () => {
    const refused = { ...waitingItem('wrongtype', { type: 'upload', kind: 'upload' }), title: 'Request to Meera' };
    expect(getDiscardText(refused)).toContain('gone from Callboard for good');
    expect(getDiscardText({ ...refused, isFileShared: true })).toBe(
      'Request to Meera. This will not be sent. The others that wait keep the file.',
    );
  });

  const queuedText = (row: Partial<WaitingItem['row']>) =>
    getDiscardText({ title: 'Credit: Paper Boats', row: outboxRow(row) });

  it.each(['create', 'update', 'send', 'accept'] as const)(
    'says of a discarded change (%s) whose answer was lost that it may have arrived',
    (kind) => {
      expect(queuedText({ kind, sentOnce: true })).toContain('It may have reached Callboard already.');
      expect(queuedText({ kind, sentOnce: false })).not.toContain('may have reached');
    },
  );

  it('does not say that a record stays when its delete may have arrived', () => {
    const deleted = { kind: 'delete', sentOnce: true } as const;
    expect(queuedText(deleted)).toBe('Credit: Paper Boats. Callboard may have deleted it already.');
  });

  it('does not say of a request that was never tried that it may have arrived', () => {
    const request = { type: 'request', kind: 'create', sentOnce: false } as const;
    expect(getDiscardText(waitingItem('stale', request))).toBe('Credit: Paper Boats. This will not be sent.');
  });

  it('does not offer to recreate a deleted media item', () => {
    expect(labels(mediaItem('audio', 'gone', { kind: 'update' }))).toEqual(['Copy text', 'Discard']);
  });
});
