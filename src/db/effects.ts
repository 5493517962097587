import type { OpKind } from './rows.ts';

/**
 * What a change does, as far as screens and queue need to know before it is acknowledged. It creates, updates or
 * deletes its target, uploads a stored file, sets one as the profile photo (avatar), switches a toggle (save), requests
 * or accepts a connection, sends a message, marks notifications as seen, or does something else with a record of casting (act).
 */
export type Effect = OpKind;

/**
 * The effect of a row or a journal entry, from its stored kind. So far each kind has its own effect. A new kind with
 * the effect of another one is mapped here, and nothing else changes.
 */
export const getEffect = ({ kind }: { kind: OpKind }): Effect => kind;
