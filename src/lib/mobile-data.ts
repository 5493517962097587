/** Larger files wait for Wi-Fi if the user wants that. */
export const LARGE_FILE_BYTES = 20 * 1024 * 1024;

/** The message of an attempt that waits for Wi-Fi. */
export const WAITING_FOR_WIFI = 'Waiting for Wi-Fi';

/** The Network Information API, which only some browsers have. Some of those do not tell the type. */
interface Connection extends EventTarget {
  type?: string;
}

const getConnection = () => (navigator as { connection?: Connection }).connection;

/** Whether the device is known to use mobile data: its own, or that of a phone which shares it by Bluetooth. */
export const isOnMobileData = (): boolean => /cell|blue|wimax/.test(getConnection()?.type ?? '');

/** Whether this browser tells the app what the device is connected to. */
export const canTellMobileData = (): boolean => (getConnection()?.type ?? 'unknown') !== 'unknown';

/** Calls `listener` when the device has moved to mobile data or away from it. */
export function watchMobileData(listener: () => void, signal: AbortSignal): void {
  let wasOn = isOnMobileData();
  const handleChange = () => {
    const isOn = isOnMobileData();
    if (isOn !== wasOn) listener();
    wasOn = isOn;
  };
  getConnection()?.addEventListener('change', handleChange, { signal });
}
