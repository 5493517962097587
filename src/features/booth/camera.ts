import { chooseType, PICTURE } from './recording.ts';

/**
 * Why there is no picture. refused: the person or the system does not allow it. none: nothing is connected. busy: another app
 * or a call uses it. unsupported: the browser cannot record. unplugged: it was there and is gone.
 */
export type CameraProblem = 'refused' | 'none' | 'busy' | 'unsupported' | 'unplugged';

export interface CameraChoice {
  cameraId: string | null;
  microphoneId: string | null;
  /** Which side of a phone looks at the person, where no camera was chosen by name. */
  facing: 'user' | 'environment';
}

const PROBLEMS: Record<string, CameraProblem> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

const toProblem = (error: unknown): CameraProblem =>
  (error instanceof DOMException ? PROBLEMS[error.name] : undefined) ?? 'unsupported';

/** Whether this browser has what a recording needs. Pages without TLS have no cameras. */
export const hasCameras = (): boolean =>
  (navigator.mediaDevices as MediaDevices | undefined)?.getUserMedia !== undefined;

function getConstraints({ cameraId, microphoneId, facing }: CameraChoice): MediaStreamConstraints {
  return {
    video: {
      width: { ideal: PICTURE.width },
      height: { ideal: PICTURE.height },
      frameRate: { ideal: PICTURE.frameRate },
      ...(cameraId === null ? { facingMode: facing } : { deviceId: { exact: cameraId } }),
    },
    audio: {
      // Made for calls: they cut the beginnings of quiet words. There is no loudspeaker whose echo could come back.
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: true,
      ...(microphoneId !== null && { deviceId: { exact: microphoneId } }),
    },
  };
}

/** Opens camera and microphone. A chosen one that is not there any more is replaced by the usual one. */
export async function openCamera(choice: CameraChoice): Promise<MediaStream | CameraProblem> {
  if (!hasCameras() || chooseType() === null) return 'unsupported';
  try {
    return await navigator.mediaDevices.getUserMedia(getConstraints(choice));
  } catch (error) {
    const isGone = error instanceof DOMException && ['OverconstrainedError', 'NotFoundError'].includes(error.name);
    const hasChosen = choice.cameraId !== null || choice.microphoneId !== null;
    if (isGone && hasChosen) return openCamera({ ...choice, cameraId: null, microphoneId: null });
    return toProblem(error);
  }
}

export interface Devices {
  cameras: MediaDeviceInfo[];
  microphones: MediaDeviceInfo[];
}

/** The cameras and microphones of this device. Their names are known only once one of them was allowed. */
export async function listDevices(): Promise<Devices> {
  const all = await navigator.mediaDevices.enumerateDevices();
  const named = all.filter(({ deviceId }) => deviceId !== '');
  return {
    cameras: named.filter(({ kind }) => kind === 'videoinput'),
    microphones: named.filter(({ kind }) => kind === 'audioinput'),
  };
}

export function stopStream(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
