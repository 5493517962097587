/** How a pull ended. overtaken: our own changes were answered during each of its requests for a page. */
export type PullResult = 'done' | 'overtaken' | 'unreachable' | 'sign in';
