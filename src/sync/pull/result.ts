/** How a look at the server ended. */
export type PullResult = 'done' | 'unreachable' | 'sign in';
