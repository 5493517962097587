/** What a person switches on and off for a conversation: fields of its record, by the type that their changes are stored under. */
export const CONVERSATION_TOGGLES = { conversation: 'starred', pinned_conversation: 'pinned' } as const;

export type ConversationToggle = (typeof CONVERSATION_TOGGLES)[keyof typeof CONVERSATION_TOGGLES];

/** One value for each toggle. */
export const mapToggles = <T>(toValue: (toggle: ConversationToggle, type: string) => T) =>
  Object.fromEntries(
    Object.entries(CONVERSATION_TOGGLES).map(([type, toggle]) => [toggle, toValue(toggle, type)]),
  ) as Record<ConversationToggle, T>;

/** The lanes in which changes of a conversation's toggles wait; of all conversations without an id. */
export const getToggleLanes = (conversationId = ''): string[] =>
  Object.keys(CONVERSATION_TOGGLES).map((type) => `${type}:${conversationId}`);
