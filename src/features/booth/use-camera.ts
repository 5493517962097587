import { useEffect, useState } from 'react';
import {
  type CameraChoice,
  type CameraProblem,
  type Devices,
  hasCameras,
  listDevices,
  openCamera,
  stopStream,
} from './camera.ts';

interface Camera {
  /** null while it is being opened, and with a problem. */
  stream: MediaStream | null;
  problem: CameraProblem | null;
  devices: Devices;
  /** Opens the camera again, after the person has done something about the problem. */
  retry(): void;
}

const NO_DEVICES: Devices = { cameras: [], microphones: [] };

/** Opens the chosen camera and microphone while the component is mounted, and gives them free afterwards. */
export function useCamera({ cameraId, microphoneId, facing }: CameraChoice): Camera {
  const [opened, setOpened] = useState<{ stream: MediaStream | null; problem: CameraProblem | null } | null>(null);
  const [devices, setDevices] = useState(NO_DEVICES);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let stream: MediaStream | null = null;
    let isCurrent = true;
    const handleEnded = () => isCurrent && setOpened({ stream: null, problem: 'unplugged' });
    const open = async () => {
      const found = await openCamera({ cameraId, microphoneId, facing });
      if (typeof found === 'string') {
        if (isCurrent) setOpened({ stream: null, problem: found });
        return;
      }
      if (!isCurrent) return stopStream(found);
      stream = found;
      for (const track of found.getTracks()) track.addEventListener('ended', handleEnded);
      setOpened({ stream: found, problem: null });
      setDevices(await listDevices());
    };
    open().catch(reportError);
    return () => {
      isCurrent = false;
      // Stopping a track by ourselves fires no event.
      if (stream) stopStream(stream);
      setOpened(null);
    };
  }, [cameraId, microphoneId, facing, tries]);
  useEffect(() => {
    if (!hasCameras()) return;
    const control = new AbortController();
    const update = () => void listDevices().then((found) => !control.signal.aborted && setDevices(found), reportError);
    navigator.mediaDevices.addEventListener('devicechange', update, { signal: control.signal });
    return () => control.abort();
  }, []);
  return {
    stream: opened?.stream ?? null,
    problem: opened?.problem ?? null,
    devices,
    retry: () => setTries((n) => n + 1),
  };
}
