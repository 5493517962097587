/** Starts the worker from its TypeScript source: a thread does not take over the loader of the process that starts it. */
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
