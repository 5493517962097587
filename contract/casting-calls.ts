import type { Endpoint, Method } from './section.ts';

const call = <M extends Method, P extends string>(method: M, path: P) => ({ method, path, isExtension: true }) as const;

/** Endpoints of the side that casts. */
export const CASTING_CALLS = {
  createProject: call('POST', '/casting/projects'),
  updateProject: call('PUT', '/casting/projects/:id'),
  deleteProject: call('DELETE', '/casting/projects/:id'),
  inviteMember: call('POST', '/casting/members'),
  updateMember: call('PUT', '/casting/members/:id'),
  removeMember: call('DELETE', '/casting/members/:id'),
  acceptInvitation: call('POST', '/casting/members/:id/accept'),
  declineInvitation: call('POST', '/casting/members/:id/decline'),
  leaveProject: call('POST', '/casting/members/:id/leave'),
  createRole: call('POST', '/casting/roles'),
  updateRole: call('PUT', '/casting/roles/:id'),
  deleteRole: call('DELETE', '/casting/roles/:id'),
  castRole: call('POST', '/casting/roles/:id/cast'),
  changeColumns: call('PUT', '/casting/roles/:id/columns'),
  addCandidate: call('POST', '/casting/candidates'),
  moveCandidate: call('PUT', '/casting/candidates/:id'),
  removeCandidate: call('DELETE', '/casting/candidates/:id'),
  ask: call('POST', '/casting/requests'),
  changeRequest: call('PUT', '/casting/requests/:id'),
  answer: call('POST', '/casting/requests/:id/answer'),
  withdraw: call('POST', '/casting/requests/:id/withdraw'),
  viewTape: call('POST', '/casting/tapes/:id/viewed'),
  markTape: call('PUT', '/casting/tapes/:id/mark'),
  createLink: call('POST', '/casting/links'),
  updateLink: call('PUT', '/casting/links/:id'),
  revokeLink: call('DELETE', '/casting/links/:id'),
} satisfies Record<string, Endpoint>;

// Exported by itself as well, so that the service worker bundles it alone.
export const ASK_QUESTION = call('POST', '/auditions/:id/question');

/** Endpoints of the performer who was asked. */
export const AUDITION_CALLS = {
  seen: call('POST', '/auditions/:id/seen'),
  confirm: call('POST', '/auditions/:id/confirm'),
  decline: call('POST', '/auditions/:id/decline'),
  ask: ASK_QUESTION,
  announceTape: call('POST', '/auditions/tapes'),
  arriveTape: call('POST', '/auditions/tapes/:id/arrive'),
  tapeLinks: call('GET', '/auditions/tapes/:id/links'),
} satisfies Record<string, Endpoint>;
