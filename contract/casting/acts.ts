import { AUDITION_CALLS, CASTING_CALLS } from '../casting-calls.ts';
import type { Endpoint } from '../section.ts';

/**
 * What a person does with a record of casting that is neither creating, editing nor deleting it, by record type. Each is one call with the
 * fields of its body; its response has the record in `data`, or the records where it is about several.
 */
export const ACTS = {
  audition: {
    seen: AUDITION_CALLS.seen,
    confirm: AUDITION_CALLS.confirm,
    decline: AUDITION_CALLS.decline,
  },
  availability: { set: { method: 'PUT', path: '/availability', isExtension: true } },
  request: { answer: CASTING_CALLS.answer, withdraw: CASTING_CALLS.withdraw },
  project_member: {
    join: CASTING_CALLS.acceptInvitation,
    refuse: CASTING_CALLS.declineInvitation,
    leave: CASTING_CALLS.leaveProject,
  },
  role: { cast: CASTING_CALLS.castRole, columns: CASTING_CALLS.changeColumns },
  tape: { arrive: AUDITION_CALLS.arriveTape, viewed: CASTING_CALLS.viewTape, mark: CASTING_CALLS.markTape },
  link: { revoke: CASTING_CALLS.revokeLink },
} as const satisfies Record<string, Record<string, Endpoint>>;

export type ActType = keyof typeof ACTS;
export type ActName<T extends ActType = ActType> = T extends ActType ? keyof (typeof ACTS)[T] & string : never;

/** The endpoint of an act; null for one that another version of the app knows. */
export function findAct(type: string, act: string): Endpoint | null {
  const acts: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = ACTS;
  return acts[type]?.[act] ?? null;
}
