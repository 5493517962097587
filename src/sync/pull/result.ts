/** How a look at the server ended. */
export type Pulled = 'done' | 'unreachable' | 'sign in';
