import { useEffect, useRef, useState, type ReactNode } from 'react';

interface PreviewProps {
  stream: MediaStream | null;
  /** Shows the picture as a mirror does. The recording is never mirrored. */
  isMirrored: boolean;
  /** Drawn over exactly the picture. */
  children: ReactNode;
}

/** The whole picture that the camera records: nothing is cut off at the edges of the screen. */
export function Preview({ stream, isMirrored, children }: PreviewProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [ratio, setRatio] = useState(16 / 9);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return (
    // Held sideways, the buttons are beside the picture.
    <div className="absolute inset-0 grid place-items-center landscape:right-24">
      <div className="relative" style={{ aspectRatio: ratio, width: `min(100%, ${ratio * 100}dvh)` }}>
        <video
          ref={video}
          className={`size-full ${isMirrored ? '-scale-x-100' : ''}`}
          autoPlay
          muted
          playsInline
          aria-label="What the camera sees"
          // A phone that is turned changes the size of the picture.
          onResize={({ currentTarget: { videoWidth, videoHeight } }) => {
            if (videoWidth > 0 && videoHeight > 0) setRatio(videoWidth / videoHeight);
          }}
        />
        {stream && children}
      </div>
    </div>
  );
}
