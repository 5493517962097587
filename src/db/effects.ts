import type { OpKind } from './rows.ts';

/**
 * What a change does, as far as the screens and the queue must know before the server has it. Derived from the `kind` that
 * every released version stores, so rows that wait on phones need no upgrade. A new kind is a type error here.
 */
export type Effect =
  /** Makes its target: on the screen from the moment it is saved. */
  | 'creates'
  /** Changes fields of its target. */
  | 'edits'
  /** Takes its target away, or ends a connection. */
  | 'removes'
  /** Brings the bytes of a stored file to the server; shown as one with the change that attaches them. */
  | 'uploads'
  /** Makes a stored file the portrait of its target. */
  | 'attaches'
  /** Turns something on or off for its target. */
  | 'toggles'
  /** Asks its target to connect. */
  | 'requests'
  /** Accepts the request of its target. */
  | 'accepts'
  /** Sends a message. */
  | 'sends'
  /** Marks its targets as seen. */
  | 'marks';

const EFFECTS: Readonly<Record<OpKind, Effect>> = {
  create: 'creates',
  update: 'edits',
  delete: 'removes',
  upload: 'uploads',
  avatar: 'attaches',
  save: 'toggles',
  connect: 'requests',
  accept: 'accepts',
  send: 'sends',
  seen: 'marks',
};

/** The effect of a row or a journal entry; undefined for a kind that only another version of the app knows. */
export const getEffect = ({ kind }: { kind: OpKind }): Effect | undefined => EFFECTS[kind];
