/** Why somebody may be reported to who runs the server: what is sent, and how the sheet says it. */
export const REPORT_REASONS = {
  scam: 'Asks for money or personal papers',
  fake: 'Is not who they say they are',
  harassment: 'Harasses or threatens',
  inappropriate: 'Shows or writes what does not belong here',
  spam: 'Advertises or writes the same to everybody',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;
