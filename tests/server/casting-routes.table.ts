import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import { UNKNOWN_ID, type Request, type RouteFixture, type RouteRow } from './route-row.ts';

/** The owner's projects, roles and requests exist for the owner alone; the same holds for what the owner was asked. */
const ownerOnly = { anonymous: 401, stranger: 404, owner: 200, strangerToInactive: null };
/** Everybody may have projects of their own. */
const forMembers = { anonymous: 401, stranger: 201, owner: 201, strangerToInactive: null };

type CastingFixture = RouteFixture['casting'];

/** A call about one record. */
function about(
  toPath: (id: string) => string,
  getId: (fixture: CastingFixture) => string,
  body: object,
  invalid: { body: object; fields: string[] },
): RouteRow {
  return {
    ...ownerOnly,
    good: ({ casting }) => ({ path: toPath(getId(casting)), body }),
    unknown: () => ({ path: toPath(UNKNOWN_ID), body }),
    invalid: {
      request: ({ casting }) => ({ path: toPath(getId(casting)), body: invalid.body }),
      fields: invalid.fields,
    },
  };
}

/** A call about one record, without a body. */
const withoutBody = (toPath: (id: string) => string, getId: (fixture: CastingFixture) => string): RouteRow => ({
  ...ownerOnly,
  good: ({ casting }) => ({ path: toPath(getId(casting)) }),
  unknown: () => ({ path: toPath(UNKNOWN_ID) }),
  invalid: null,
});

const projectPath = (id: string) => `/casting/projects/${id}`;
const rolePath = (id: string) => `/casting/roles/${id}`;
const requestPath = (id: string) => `/casting/requests/${id}`;
const toAsk = ({ casting }: RouteFixture, roleId = casting.roleId): Request => ({
  path: '/casting/requests',
  body: { role_id: roleId, profile_id: casting.otherProfileId, deadline_at: casting.deadlineAt },
});
const memberPath = (id: string) => `/casting/members/${id}`;
const toInvite = (project_id: string, user_id: string): Request => ({
  path: '/casting/members',
  body: { project_id, user_id, role: 'rate' },
});
const candidatePath = (id: string) => `/casting/candidates/${id}`;
const toList = ({ casting }: RouteFixture, roleId = casting.roleId): Request => ({
  path: '/casting/candidates',
  body: { role_id: roleId, profile_id: casting.otherProfileId, column: 'ideas', position: 'V' },
});
const getCandidate = ({ candidateId }: CastingFixture) => candidateId;
const getRequest = ({ requestId }: CastingFixture) => requestId;
const getAudition = ({ auditionId }: CastingFixture) => auditionId;
const wrongTime = { body: { at: 'yesterday' }, fields: ['at'] };

export const CASTING_ROUTES: Record<string, RouteRow> = {
  'POST /casting/projects': {
    ...forMembers,
    good: () => ({ path: '/casting/projects', body: PROJECT_FORM.example }),
    unknown: null,
    invalid: {
      request: () => ({
        path: '/casting/projects',
        body: { ...PROJECT_FORM.example, title: ' ', type: 'opera', time_zone: '+05:30', client_id: 'x' },
      }),
      fields: ['title', 'type', 'time_zone', 'client_id'],
    },
  },
  'PUT /casting/projects/:id': about(
    projectPath,
    ({ projectId }) => projectId,
    { company: 'Tideline Pictures' },
    { body: { status: 'cast', shoot_from: 'soon' }, fields: ['status', 'shoot_from'] },
  ),
  'DELETE /casting/projects/:id': withoutBody(projectPath, ({ emptyProjectId }) => emptyProjectId),
  'POST /casting/roles': {
    ...forMembers,
    stranger: 404,
    good: ({ casting }) => ({
      path: '/casting/roles',
      body: { ...ROLE_FORM.example, project_id: casting.projectId },
    }),
    unknown: () => ({ path: '/casting/roles', body: { ...ROLE_FORM.example, project_id: UNKNOWN_ID } }),
    invalid: {
      request: () => ({ path: '/casting/roles', body: { name: ' ', age_min: 'old' } }),
      fields: ['project_id', 'name', 'age_min'],
    },
  },
  'PUT /casting/roles/:id': about(
    rolePath,
    ({ roleId }) => roleId,
    { pay: 'Scale' },
    { body: { status: 'cast', name: '' }, fields: ['status', 'name'] },
  ),
  'DELETE /casting/roles/:id': withoutBody(rolePath, ({ emptyRoleId }) => emptyRoleId),
  'PUT /casting/roles/:id/columns': about(
    (id) => `${rolePath(id)}/columns`,
    ({ roleId }) => roleId,
    { columns: [{ id: 'ideas', name: 'Long list' }] },
    { body: { columns: 'all' }, fields: ['columns'] },
  ),
  'POST /casting/candidates': {
    ...forMembers,
    stranger: 404,
    good: (fixture) => toList(fixture),
    unknown: (fixture) => toList(fixture, UNKNOWN_ID),
    invalid: {
      request: () => ({ path: '/casting/candidates', body: { column: ' ', position: '10', client_id: 'x' } }),
      fields: ['role_id', 'profile_id', 'column', 'position', 'client_id'],
    },
  },
  'PUT /casting/candidates/:id': about(
    candidatePath,
    getCandidate,
    { column: 'pencil', position: 'k' },
    { body: { column: 'x'.repeat(41), position: '' }, fields: ['column', 'position'] },
  ),
  'DELETE /casting/candidates/:id': withoutBody(candidatePath, getCandidate),
  'POST /casting/requests': {
    ...forMembers,
    stranger: 404,
    good: (fixture) => toAsk(fixture),
    unknown: (fixture) => toAsk(fixture, UNKNOWN_ID),
    invalid: {
      request: () => ({ path: '/casting/requests', body: { deadline_at: 'soon', takes: 9, shot: 'wide' } }),
      fields: ['role_id', 'profile_id', 'deadline_at', 'takes', 'shot'],
    },
  },
  'PUT /casting/requests/:id': about(
    requestPath,
    getRequest,
    { instructions: 'Slower.' },
    { body: { deadline_at: 'soon', instructions: 'x'.repeat(4001) }, fields: ['deadline_at', 'instructions'] },
  ),
  'POST /casting/requests/:id/answer': about(
    (id) => `${requestPath(id)}/answer`,
    getRequest,
    { kind: 'callback' },
    { body: { kind: 'perhaps', text: 'x'.repeat(1001) }, fields: ['kind', 'text'] },
  ),
  'POST /casting/requests/:id/withdraw': about(
    (id) => `${requestPath(id)}/withdraw`,
    getRequest,
    { text: 'The part was cut.' },
    { body: { text: 'x'.repeat(501) }, fields: ['text'] },
  ),
  'POST /casting/roles/:id/cast': about(
    (id) => `${rolePath(id)}/cast`,
    ({ roleId }) => roleId,
    { text: 'Thank you for your time.' },
    { body: { request_ids: 'all', text: 5 }, fields: ['request_ids', 'text'] },
  ),
  'POST /casting/members': {
    ...forMembers,
    stranger: 404,
    good: ({ casting }) => toInvite(casting.projectId, casting.connectionId),
    unknown: ({ casting }) => toInvite(UNKNOWN_ID, casting.connectionId),
    invalid: {
      request: () => ({ path: '/casting/members', body: { role: 'own', client_id: 'x' } }),
      fields: ['project_id', 'user_id', 'role', 'client_id'],
    },
  },
  'PUT /casting/members/:id': about(
    memberPath,
    ({ memberId }) => memberId,
    { role: 'read' },
    { body: { role: 'own' }, fields: ['role'] },
  ),
  'DELETE /casting/members/:id': withoutBody(memberPath, ({ memberId }) => memberId),
  'POST /casting/members/:id/accept': withoutBody(
    (id) => `${memberPath(id)}/accept`,
    ({ invitationId }) => invitationId,
  ),
  'POST /casting/members/:id/decline': withoutBody(
    (id) => `${memberPath(id)}/decline`,
    ({ invitationId }) => invitationId,
  ),
  'POST /casting/members/:id/leave': withoutBody(
    (id) => `${memberPath(id)}/leave`,
    ({ placeId }) => placeId,
  ),
  'POST /auditions/:id/seen': about((id) => `/auditions/${id}/seen`, getAudition, {}, wrongTime),
  'POST /auditions/:id/confirm': about((id) => `/auditions/${id}/confirm`, getAudition, {}, wrongTime),
  'POST /auditions/:id/question': {
    ...about(
      (id) => `/auditions/${id}/question`,
      getAudition,
      { text: 'Is there a script?' },
      { body: { text: ' ', client_id: 'x' }, fields: ['text', 'client_id'] },
    ),
    owner: 201,
  },
  'POST /auditions/:id/decline': about(
    (id) => `/auditions/${id}/decline`,
    getAudition,
    { text: 'On tour.' },
    { body: { at: 'yesterday', text: 'x'.repeat(501) }, fields: ['at', 'text'] },
  ),
};
