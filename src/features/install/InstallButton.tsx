import { Download } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { useInstall } from './use-install.ts';

/** Opens the browser's install dialog or the guide. Renders nothing in the installed app. */
export function InstallButton({ className }: { className?: string }) {
  const { isOffered, install } = useInstall();
  if (!isOffered) return null;
  return (
    <Button look="line" icon={Download} className={className} onClick={install}>
      Install App
    </Button>
  );
}
