import { useEffect } from 'react';
import { useAccount } from '#session/session.tsx';
import { whenPainted } from '#ui/when-painted.ts';

/** How often a conversation before somebody's eyes is asked for where nothing tells of it, milliseconds. */
const POLL_INTERVAL_MS = 20_000;

/** Asks for what is new in a conversation on the screen, where the server does not tell by itself. */
export function usePolling(conversationId: string, isSeen: boolean): void {
  const { engine } = useAccount();
  useEffect(() => {
    if (!isSeen) return;
    const ask = async () => {
      const asked = await engine.refreshConversation(conversationId);
      // Others tell.
      if (asked === null) clearInterval(timer);
    };
    // Without an answer, what is here is shown.
    const askQuietly = () => void ask().catch(console.warn);
    const timer = setInterval(askQuietly, POLL_INTERVAL_MS);
    const callOff = whenPainted(askQuietly);
    return () => {
      callOff();
      clearInterval(timer);
    };
  }, [engine, conversationId, isSeen]);
}
