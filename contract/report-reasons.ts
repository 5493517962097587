/** Why somebody may be reported to who runs the server: what is sent, and how the sheet says it. */
export const REPORT_REASONS = {
  scam: 'Asks for money or personal documents',
  fake: 'Pretends to be someone else',
  harassment: 'Harassment or threats',
  inappropriate: 'Inappropriate content',
  spam: 'Spam or advertising',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;
