const MB = 1024 * 1024;

/** Limits that both sides enforce. Text lengths count Unicode code points; sizes are in bytes. */
export const LIMITS = {
  /** The largest file of each kind, unless the server says otherwise. */
  fileBytes: { image: 10 * MB, audio: 50 * MB, video: 500 * MB, document: 10 * MB },
  photosPerPick: 10,
  photoPixels: 60_000_000,
  /** The highest position in a portfolio; the first is 0. */
  mediaPosition: 1_000_000,
  /** Maximum number of peaks in a waveform. */
  waveformPeaks: 200,
  /** Enough for a JPEG of 300 kB. */
  posterBase64Chars: 400_000,
  /** Enough for a JPEG of 60 kB. */
  takePosterBase64Chars: 80_000,
  ageRangeMin: 6,
  ageMin: 0,
  ageMax: 100,
  ageDefault: { min: 10, max: 50 },
  aboutMe: 500,
  /** Maximum number of feedback entries by one author about one profile. */
  feedbackPerAuthor: 3,
  messageText: 4000,
  /** Page size of a conversation. */
  messagesPerPage: 200,
  /** The unread count examines at most this many messages after the last one read, so it cannot grow beyond it. */
  maxUnreadCount: 200,
  /** Maximum number of notifications marked as read in one request. */
  notificationsPerRequest: 500,
  reportText: 1000,
  passwordMin: 10,
  passwordMax: 200,
  perDayMax: 100_000_000,
  yearMin: 1900,
  /** Years may lie this far ahead of the current one. */
  yearsAhead: 2,
  idempotencyDays: 90,
  tombstoneDays: 180,
  uploadDays: 7,
  /** Days that a notification is kept after it was read. */
  notificationDays: 180,
} as const;

/** File types that the photo picker and the server accept. */
export const PHOTO_TYPES = { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] } as const;
export const AVATAR_TYPES = { ...PHOTO_TYPES, 'image/webp': ['.webp'] } as const;
