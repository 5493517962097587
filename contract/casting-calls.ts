import type { Endpoint, Method } from './section.ts';

const call = <M extends Method, P extends string>(method: M, path: P) => ({ method, path, isExtension: true }) as const;

/** Endpoints of the side that casts. */
export const CASTING_CALLS = {
  createProject: call('POST', '/casting/projects'),
  updateProject: call('PUT', '/casting/projects/:id'),
  deleteProject: call('DELETE', '/casting/projects/:id'),
  createRole: call('POST', '/casting/roles'),
  updateRole: call('PUT', '/casting/roles/:id'),
  deleteRole: call('DELETE', '/casting/roles/:id'),
  castRole: call('POST', '/casting/roles/:id/cast'),
  ask: call('POST', '/casting/requests'),
  changeRequest: call('PUT', '/casting/requests/:id'),
  answer: call('POST', '/casting/requests/:id/answer'),
  withdraw: call('POST', '/casting/requests/:id/withdraw'),
  viewTape: call('POST', '/casting/tapes/:id/viewed'),
  markTape: call('PUT', '/casting/tapes/:id/mark'),
} satisfies Record<string, Endpoint>;

/** Endpoints of the performer who was asked. */
export const AUDITION_CALLS = {
  seen: call('POST', '/auditions/:id/seen'),
  confirm: call('POST', '/auditions/:id/confirm'),
  decline: call('POST', '/auditions/:id/decline'),
  announceTape: call('POST', '/auditions/tapes'),
  arriveTape: call('POST', '/auditions/tapes/:id/arrive'),
  tapeLinks: call('GET', '/auditions/tapes/:id/links'),
} satisfies Record<string, Endpoint>;
