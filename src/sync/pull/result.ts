/** How a pull ended. */
export type PullResult = 'done' | 'unreachable' | 'sign in';
