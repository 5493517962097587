import { useEffect } from 'react';
import { useAccount } from '#session/session.tsx';
import { whenPainted } from '#ui/when-painted.ts';

const POLL_INTERVAL_MS = 20_000;

/** Polls a visible conversation for new messages. Only a server with the basic API needs it. */
export function usePolling(conversationId: string, isVisible: boolean): void {
  const { engine } = useAccount();
  useEffect(() => {
    if (!isVisible) return;
    const poll = async () => {
      const result = await engine.refreshConversation(conversationId);
      // The full API sends live events and has a sync feed.
      if (result === null) clearInterval(timer);
    };
    // If the request fails, the stored messages stay on the screen.
    const pollQuietly = () => void poll().catch(console.warn);
    const timer = setInterval(pollQuietly, POLL_INTERVAL_MS);
    const cancel = whenPainted(pollQuietly);
    return () => {
      cancel();
      clearInterval(timer);
    };
  }, [engine, conversationId, isVisible]);
}
