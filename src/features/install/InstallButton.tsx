import { Download } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { useInstall } from './use-install.ts';

/** Installs, or opens the guide for this browser. Gone within the installed app itself. */
export function InstallButton({ className }: { className?: string }) {
  const { isOffered, install } = useInstall();
  if (!isOffered) return null;
  return (
    <Button look="line" icon={Download} className={className} onClick={install}>
      Install App
    </Button>
  );
}
