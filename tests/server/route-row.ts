import type { RequestOptions, Person } from './support/test-server.ts';

/** Two people: an owner with an active profile, a credit, a skill and a second device, and a stranger. */
export interface RouteFixture {
  owner: Person;
  stranger: Person;
  profileId: string;
  creditId: string;
  skillId: string;
  /** A row of the tested section, or '' where the route needs none. */
  sectionRowId: string;
  /** Feedback of a third person about the owner, or '' where the route needs none. */
  feedbackId: string;
  photoId: string;
  /** The path of the owner's photo as in GET /media. */
  photoPath: string;
  /** Uploads of the owner: one with a whole photo, one that waits for its ten bytes. */
  uploadId: string;
  emptyUploadId: string;
  /** The other session of the owner. */
  sessionId: string;
  /** A device of the owner. */
  deviceId: string;
  /** A request of another person to connect with the owner. */
  requestId: string;
  /** A conversation of the owner with a third person. Empty strings where the route needs none. */
  conversation: { id: string; connectionId: string; otherId: string };
  /** Tokens of links that were sent to the owner; `stop` is the path of one. */
  links: { verify: string; reset: string; secure: string; guardian: string; stop: string };
  /** The owner's passkey and recovery code, with bodies that use each once. Empty where the route needs none. */
  access: { passkeyId: string; addBody: object; signInBody: object; code: string };
  /**
   * An audition of the owner with a tape that waits for its upload, and a tape that somebody else sent to the owner. Empty where the route needs
   * none.
   */
  tapes: { auditionId: string; sentId: string; uploadId: string; receivedId: string };
  /** A share link of the owner with a tape, which somebody has opened. Empty where the route needs none. */
  shareLink: {
    id: string;
    roleId: string;
    name: string;
    token: string;
    session: string;
    takeId: string;
    takeUrl: string;
  };
  /** A report about the owner, an act about it that can be undone, and a job. Empty where the route needs none. */
  desk: { reportId: string; actId: string; jobId: string };
  /**
   * Projects and roles of the owner: with a request to a performer, and without any; another performer's profile; and a request of somebody
   * else to the owner. Empty where the route needs none.
   */
  casting: {
    projectId: string;
    roleId: string;
    requestId: string;
    emptyProjectId: string;
    emptyRoleId: string;
    /** The performer of the request, on the shortlist of the role. */
    candidateId: string;
    otherProfileId: string;
    auditionId: string;
    deadlineAt: string;
    /** A connection who is not in the project, a colleague in it, and the owner's own invitation and place in projects of others. */
    connectionId: string;
    memberId: string;
    invitationId: string;
    placeId: string;
  };
  /** A profile type of which the owner has no profile. */
  freeTypeId: string;
}

export type Request = RequestOptions & { path: string };

export interface RouteRow {
  good: (fixture: RouteFixture) => Request;
  anonymous: number;
  stranger: number;
  owner: number;
  /** For a connection of the owner. Defaults to the value for the stranger. */
  connection?: number;
  /** For a person under 18 without a guardian’s permission. Defaults to the value for the stranger. */
  minor?: number;
  /** For the stranger when the owner is a minor whose guardian has agreed. Defaults to the value for the stranger. */
  toMinor?: number;
  /** For a person the owner has blocked. Defaults to the value for a stranger and an inactive profile. */
  blocked?: number;
  /**
   * For the owner while the desk has suspended them. Defaults to 403 for a call that needs a session and writes, and to the value for the
   * owner otherwise.
   */
  suspended?: number;
  /** For a stranger who works at the desk. Defaults to the value for a stranger. */
  operator?: number;
  /** For the stranger when the owner's profile is inactive. Null where no profile is involved. */
  strangerToInactive: number | null;
  /** A request for something that does not exist, which gets 404. Null where the path names nothing. */
  unknown: ((fixture: RouteFixture) => Request) | null;
  /** A request that gets 422 with errors for exactly these fields. Null where nothing can be invalid. */
  invalid: { request: (fixture: RouteFixture) => Request; fields: string[] } | null;
}

/** For the desk, which exists only for those who work there. */
export const deskOnly = {
  anonymous: 404,
  stranger: 404,
  owner: 404,
  operator: 200,
  strangerToInactive: null,
  unknown: null,
  invalid: null,
};
/** An id that no record has. */
export const UNKNOWN_ID = '999999';
/** For calls that answer everybody alike. */
export const sameForEverybody = {
  anonymous: 200,
  stranger: 200,
  owner: 200,
  strangerToInactive: null,
  unknown: null,
  invalid: null,
};
export const signedIn = { anonymous: 401, stranger: 200, owner: 200, strangerToInactive: null };
export const publicPage = { anonymous: 200, stranger: 200, owner: 200, strangerToInactive: 404, invalid: null };
