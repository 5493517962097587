import type { RequestView } from '#db/casting-role.ts';

/** Whether somebody was told that there is a callback, and has not been asked for it yet. A role has one callback tape of each person. */
export const isCalledBack = ({ serverId, isReplaced, body }: RequestView): boolean =>
  serverId !== null &&
  !isReplaced &&
  body.performer != null &&
  body.withdrawn_at === null &&
  body.round !== 'callback' &&
  body.answers.at(-1)?.kind === 'callback';

/** The request after which a performer is called back; undefined if they are not. */
export const findCalledBack = (requests: readonly RequestView[], profileId: string): RequestView | undefined =>
  requests.find((request) => isCalledBack(request) && request.body.performer?.profile_id === profileId);
