import { Download } from 'lucide-react';
import { Button } from '#ui/Button.tsx';
import { useInstall } from './use-install.ts';

/** Gone once the app is installed. */
export function InstallButton({ size = 'normal', className }: { size?: 'normal' | 'large'; className?: string }) {
  const { isOffered, install } = useInstall();
  if (!isOffered) return null;
  return (
    <Button look="line" icon={Download} size={size} className={className} onClick={install}>
      Install App
    </Button>
  );
}
