/** What a person switches on and off for a conversation: the field of its record, and the type that its changes are stored under. */
export const CONVERSATION_TOGGLES = { starred: 'conversation', pinned: 'pinned_conversation' } as const;

export type ConversationToggle = keyof typeof CONVERSATION_TOGGLES;

/** One value for each toggle. */
export const mapToggles = <T>(toValue: (toggle: ConversationToggle, type: string) => T) =>
  Object.fromEntries(
    Object.entries(CONVERSATION_TOGGLES).map(([toggle, type]) => [toggle, toValue(toggle as ConversationToggle, type)]),
  ) as Record<ConversationToggle, T>;

/** The lanes in which changes of a conversation's toggles wait; of all conversations without an id. */
export const getToggleLanes = (conversationId = ''): string[] =>
  Object.values(CONVERSATION_TOGGLES).map((type) => `${type}:${conversationId}`);
