import type { Ask, Person } from './support/stage.ts';

/** Two people: one with an active profile, a credit, a skill and a second device, and a stranger. */
export interface Scene {
  owner: Person;
  stranger: Person;
  profileId: string;
  creditId: string;
  skillId: string;
  /** Of the section whose route is tried; '' where the route needs none. */
  sectionRowId: string;
  /** What a third person wrote about the owner; '' where the route needs none. */
  feedbackId: string;
  photoId: string;
  /** Of the owner's photo, as GET /media gives it. */
  photoPath: string;
  /** The owner's: one with a whole photo, one that waits for its ten bytes. */
  uploadId: string;
  emptyUploadId: string;
  /** The owner's other signed-in device. */
  sessionId: string;
  /** Somebody asked the owner to connect. */
  requestId: string;
  /** Of the owner with a third person; empty texts where the route needs none. */
  conversation: { id: string; connectionId: string; otherId: string };
  /** A type the owner has no profile of. */
  freeTypeId: string;
}

export type Request = Ask & { path: string };

export interface RouteRow {
  good: (scene: Scene) => Request;
  anonymous: number;
  stranger: number;
  owner: number;
  /** Somebody the owner is connected with; as the stranger where it is not given. */
  connection?: number;
  /** Somebody the owner has blocked; as the stranger to an inactive profile where it is not given. */
  blocked?: number;
  /** The stranger's answer when the owner's profile is inactive; null where no profile is involved. */
  strangerToInactive: number | null;
  /** Names something that does not exist, and gets 404; null where nothing is named. */
  unknown: ((scene: Scene) => Request) | null;
  /** Gets 422 naming exactly these fields; null where nothing can be wrong. */
  invalid: { request: (scene: Scene) => Request; fields: string[] } | null;
}

/** Id of nothing and nobody. */
export const NOBODY = '999999';
/** Whom a call answers alike. */
export const toAll = {
  anonymous: 200,
  stranger: 200,
  owner: 200,
  strangerToInactive: null,
  unknown: null,
  invalid: null,
};
export const signedIn = { anonymous: 401, stranger: 200, owner: 200, strangerToInactive: null };
export const publicPage = { anonymous: 200, stranger: 200, owner: 200, strangerToInactive: 404, invalid: null };
