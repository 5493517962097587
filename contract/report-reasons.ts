/** Reasons for reporting a person to the operators: the value that is sent, and its label in the sheet. */
export const REPORT_REASONS = {
  scam: 'Asks for money or personal documents',
  fake: 'Pretends to be someone else',
  harassment: 'Harassment or threats',
  inappropriate: 'Inappropriate content',
  spam: 'Spam or advertising',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;
