import { useEffect, useState } from 'react';
import { fileSize } from '#lib/amounts.ts';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { evictsAfterSevenDays } from '#lib/seven-day-eviction.ts';
import { deviceWord, isInstalledApp } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';
import { OfflineStorageSection } from './OfflineStorageSection.tsx';

interface StorageInfo {
  usedBytes: number | null;
  /** Whether the browser will not evict the storage; null if it does not tell. */
  isPersistent: boolean | null;
}

async function readStorageInfo(): Promise<StorageInfo> {
  const storage = navigator.storage as StorageManager | undefined;
  const [estimate, isSafe] = await Promise.all([storage?.estimate?.(), storage?.persisted?.()]);
  return { usedBytes: estimate?.usage ?? null, isPersistent: isSafe ?? null };
}

/** How much the app stores on this device, and whether the browser may evict it. */
export function StorageCard() {
  const [info, setInfo] = useState<StorageInfo | null>(null);
  useEffect(() => {
    let isMounted = true;
    void readStorageInfo().then((result) => isMounted && setInfo(result));
    return () => {
      isMounted = false;
    };
  }, []);
  const device = deviceWord();
  const requestPersistence = async () => {
    const granted = await navigator.storage.persist();
    setInfo(await readStorageInfo());
    toast({
      text: granted ? 'Your browser will keep it' : 'Your browser said no for now. Installing the app helps.',
    });
  };
  if (info === null) return null;
  const { userAgent, maxTouchPoints } = navigator;
  const isCleared = evictsAfterSevenDays({ userAgent, maxTouchPoints, isInstalled: isInstalledApp() });
  return (
    <Card title={`Kept on this ${device}`}>
      {info.usedBytes !== null && (
        <p className="num">{fileSize(info.usedBytes)}, so that the app opens without signal.</p>
      )}
      <p className="text-muted">
        {info.isPersistent === true
          ? 'Your browser will not clear it on its own.'
          : 'Your browser may clear it when space runs low.'}
      </p>
      {isCleared && (
        <p className="text-muted">
          Safari also clears websites you haven’t opened for 7 days, with everything that has not been sent. The
          installed app is spared.
        </p>
      )}
      {info.isPersistent === false && (
        <Button look="tonal" className="mt-3" onClick={() => void requestPersistence()}>
          Ask your browser to keep it
        </Button>
      )}
      <OfflineStorageSection />
    </Card>
  );
}
