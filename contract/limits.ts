/** Bounds both sides enforce. Lengths count Unicode code points, sizes count bytes, times are milliseconds. */
export const LIMITS = {
  uploadBytes: 10 * 1024 * 1024,
  photosPerPick: 10,
  photoPixels: 60_000_000,
  /** The last place in a portfolio; the first is 0. */
  mediaPosition: 1_000_000,
  /** Bars of a waveform. */
  waveformPeaks: 200,
  /** Characters of base64: a JPEG of 300 kB. */
  posterBase64Chars: 400_000,
  ageRangeMin: 6,
  ageMin: 0,
  ageMax: 100,
  ageDefault: { min: 10, max: 50 },
  aboutMe: 500,
  /** Feedback of one author about one profile. */
  feedbackPerAuthor: 3,
  messageText: 4000,
  /** Of a page of a conversation. */
  messagesPerPage: 200,
  /** Of the messages after what somebody has read, so many are looked at to count those of the other person. */
  maxUnreadCount: 200,
  /** Marked as read in one call. */
  notificationsPerRequest: 500,
  reportText: 1000,
  passwordMin: 10,
  passwordMax: 200,
  perDayMax: 100_000_000,
  yearMin: 1900,
  /** Credits may be dated this many years ahead of the current one. */
  yearsAhead: 2,
  idempotencyDays: 90,
  tombstoneDays: 180,
  uploadDays: 7,
  /** After it was read. */
  notificationDays: 180,
} as const;

/** What the photo picker and the server accept, in the words of the sheet. */
export const PHOTO_TYPES = { 'image/jpeg': ['.jpg', '.jpeg'], 'image/png': ['.png'] } as const;
export const AVATAR_TYPES = { ...PHOTO_TYPES, 'image/webp': ['.webp'] } as const;
