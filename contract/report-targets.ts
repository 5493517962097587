/** What a report can be about. Reports of older apps are about the person. */
export const REPORT_TARGETS = ['user', 'profile', 'media', 'message', 'feedback', 'request', 'audition'] as const;
export type ReportTarget = (typeof REPORT_TARGETS)[number];
