import type { RequestView } from '#db/casting-role.ts';

/** A request with a tape. */
export type Taped = RequestView & { tape: NonNullable<RequestView['tape']> };

export const isTaped = (request: RequestView): request is Taped => request.tape !== null;
