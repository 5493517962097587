/** What the desk can hide, by its type, as the person calls it. */
export const HIDDEN_NOUNS: Record<string, string> = {
  profile: 'profile',
  media: 'file',
  feedback: 'feedback',
  request: 'request',
  message: 'message',
};
