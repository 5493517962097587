/** The toggles of a conversation: the field of its record, and the type under which its changes are stored. */
export const CONVERSATION_TOGGLES = { starred: 'conversation', pinned: 'pinned_conversation' } as const;

export type ConversationToggle = keyof typeof CONVERSATION_TOGGLES;

/** Builds an object with one value per toggle. */
export const mapToggles = <T>(toValue: (toggle: ConversationToggle, type: string) => T) =>
  Object.fromEntries(
    Object.entries(CONVERSATION_TOGGLES).map(([toggle, type]) => [toggle, toValue(toggle as ConversationToggle, type)]),
  ) as Record<ConversationToggle, T>;

/** The lanes of a conversation's toggles; without an id, the prefixes of all these lanes. */
export const getToggleLanes = (conversationId = ''): string[] =>
  Object.values(CONVERSATION_TOGGLES).map((type) => `${type}:${conversationId}`);
