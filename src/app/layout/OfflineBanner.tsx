import { CloudOff } from 'lucide-react';
import { useEffect } from 'react';
import { useOnline } from '#shared/queries/use-online.ts';
import { announce } from '#ui/announce.tsx';
import { deviceWord } from '#ui/device.ts';

/** A line below the bar while the device is offline. It pushes the page down instead of covering it. */
export function OfflineBanner() {
  const isOnline = useOnline();
  const text = `No signal. Keep going, it’s all safe on this ${deviceWord()}.`;
  useEffect(() => {
    if (!isOnline) announce(text);
  }, [isOnline, text]);
  if (isOnline) return null;
  return (
    <div className="flex items-center justify-center gap-2 bg-phone-tint px-4 py-1.5 text-[0.8125rem] font-[550] text-phone">
      <CloudOff className="ic" aria-hidden />
      <span>{text}</span>
    </div>
  );
}
