import type { OpKind } from './rows.ts';

/**
 * What a change does, as far as the screens and the queue must know before the server has it: it creates, updates or deletes
 * its target, uploads a stored file or makes one the portrait (avatar), saves or marks something (save), asks to connect or
 * accepts, sends a message, or marks notifications as seen.
 */
export type Effect = OpKind;

/**
 * The effect of a row or a journal entry, from the kind that every released version stores. Each kind has an effect of its own
 * so far. One that shares the effect of another is told apart here, and nothing else changes.
 */
export const getEffect = ({ kind }: { kind: OpKind }): Effect => kind;
