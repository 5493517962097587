import { CloudOff } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { useAccount } from '#session/session.tsx';

interface NotHereYetProps {
  title: string;
  /** The action in 'Go online to …': 'load it once'. */
  doing: string;
}

/** Placeholder shown offline for content that this device has not received yet. */
export function NotHereYet({ title, doing }: NotHereYetProps) {
  const { engine } = useAccount();
  return (
    <ErrorPage
      icon={CloudOff}
      title={title}
      text={`Go online to ${doing}. After that it stays on this ${deviceWord()}.`}
      action={
        <Button look="tonal" onClick={() => void engine.pull()}>
          Try again
        </Button>
      }
    />
  );
}
