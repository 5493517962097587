import { useEffect, useState } from 'react';
import { fileSize } from '#lib/amounts.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { clearsAfterAWeek } from '#lib/weekly-clearing.ts';
import { deviceWord, isInstalledApp } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';
import { OfflineStorageSection } from './OfflineStorageSection.tsx';

interface StorageInfo {
  usedBytes: number | null;
  /** The browser promises not to clear it by itself; null where it does not say. */
  isPersistent: boolean | null;
}

async function readStorageInfo(): Promise<StorageInfo> {
  const storage = navigator.storage as StorageManager | undefined;
  const [estimate, isSafe] = await Promise.all([storage?.estimate?.(), storage?.persisted?.()]);
  return { usedBytes: estimate?.usage ?? null, isPersistent: isSafe ?? null };
}

/** What the app keeps on this device, and the browser's promise not to clear it. */
export function StorageCard() {
  const [kept, setKept] = useState<StorageInfo | null>(null);
  useEffect(() => {
    let isHere = true;
    void readStorageInfo().then((found) => isHere && setKept(found));
    return () => {
      isHere = false;
    };
  }, []);
  const device = deviceWord();
  const ask = async () => {
    const granted = await navigator.storage.persist();
    setKept(await readStorageInfo());
    toast({
      text: granted ? 'Your browser will keep it' : 'Your browser said no for now. Installing the app helps.',
    });
  };
  if (kept === null) return null;
  const { userAgent, maxTouchPoints } = navigator;
  const isCleared = clearsAfterAWeek({ userAgent, maxTouchPoints, isInstalled: isInstalledApp() });
  return (
    <Card title={`Kept on this ${device}`}>
      {kept.usedBytes !== null && (
        <p className="num">{fileSize(kept.usedBytes)}, so that the app opens without signal.</p>
      )}
      <p className="text-muted">
        {kept.isPersistent === true
          ? 'Your browser will not clear it on its own.'
          : 'Your browser may clear it when space runs low.'}
      </p>
      {isCleared && (
        <p className="text-muted">
          Safari also clears websites you haven’t opened for 7 days, with everything that has not been sent. The
          installed app is spared.
        </p>
      )}
      {kept.isPersistent === false && (
        <Button look="tonal" className="mt-3" onClick={() => void ask()}>
          Ask your browser to keep it
        </Button>
      )}
      <OfflineStorageSection />
    </Card>
  );
}
