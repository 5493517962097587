import type { ServerAdapter } from '../engine-ports.ts';

/** What the engine asks of a server with the basic API before it sends anything. The rest is loaded when it is needed. */
export const basicRules: Pick<ServerAdapter, 'isRepeatSafe' | 'isFileReady'> = {
  isRepeatSafe: false,
  isFileReady: ({ state }) => state === 'ready' || state === 'sent' || state === 'kept',
};
