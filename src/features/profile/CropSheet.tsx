import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import { getInitialCrop, MAX_ZOOM, pan, toRect, zoomTo, type Crop, type Size } from '#lib/crop.ts';
import { IconButton } from '#ui/Button.tsx';
import { FormSummary } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { cropPhoto } from '#ui/photo-file.ts';
import { Sheet } from '#ui/Sheet.tsx';
import { useFingers } from '#ui/use-fingers.ts';
import type { Point } from '#ui/zoom.ts';

interface CropSheetProps {
  picture: File;
  /** Maximum size of a portrait. */
  maxBytes: number;
  /** Receives the cropped picture, small enough to upload. */
  onDone: (portrait: File) => void;
  onClose: () => void;
}

/** One press of an arrow key moves the picture by this share of the frame. */
const PAN_STEP = 0.05;
const ZOOM_STEP = 0.1;

const MOVES = [
  { key: 'ArrowLeft', label: 'Move left', icon: ArrowLeft, right: -PAN_STEP, down: 0 },
  { key: 'ArrowUp', label: 'Move up', icon: ArrowUp, right: 0, down: -PAN_STEP },
  { key: 'ArrowDown', label: 'Move down', icon: ArrowDown, right: 0, down: PAN_STEP },
  { key: 'ArrowRight', label: 'Move right', icon: ArrowRight, right: PAN_STEP, down: 0 },
] as const;

/** Lets the person crop a picture to a portrait by drag, pinch, wheel, slider, buttons or keyboard. */
export function CropSheet({ picture, maxBytes, onDone, onClose }: CropSheetProps) {
  const [size, setSize] = useState<Size | null>(null);
  const [crop, setCrop] = useState<Crop | null>(null);
  const [errorText, setErrorText] = useState<string | null>(null);
  const [isCutting, setIsCutting] = useState(false);
  /** A large picture takes seconds to decode. Whoever closes the sheet meanwhile does not want it. */
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);
  const updateCrop = (update: (crop: Crop, size: Size) => Crop) => {
    if (size) setCrop((previous) => previous && update(previous, size));
  };

  const handleSave = async () => {
    if (!size || !crop || isCutting) return;
    const part = toRect(crop, size);
    // An uncropped JPEG is used as it is, without another lossy encoding.
    const isWhole = part.width > size.width - 1 && part.height > size.height - 1 && picture.type === 'image/jpeg';
    if (isWhole && picture.size <= maxBytes) return onDone(picture);
    setIsCutting(true);
    const portrait = await cropPhoto(picture, part, maxBytes, picture.name).catch((error: unknown) => {
      reportError(error);
      return null;
    });
    if (isClosed.current) return;
    setIsCutting(false);
    if (portrait) onDone(portrait);
    else setErrorText('This picture could not be cropped. Choose a smaller one.');
  };
  return (
    <Sheet
      title="Profile photo"
      onClose={onClose}
      onSubmit={() => void handleSave()}
      foot={
        <FormFoot onDiscard={onClose} aria-disabled={!crop || isCutting}>
          {isCutting ? 'Cropping…' : 'Use photo'}
        </FormFoot>
      }
    >
      <FormSummary text={errorText} />
      <Frame
        picture={picture}
        size={size}
        crop={crop}
        onSize={(found) => {
          setSize(found);
          setCrop(getInitialCrop(found));
        }}
        onUnreadable={() => setErrorText('This picture could not be opened. Choose another one.')}
        updateCrop={updateCrop}
      />
      <label className="flex min-h-11 items-center gap-3 text-sm font-semibold">
        Zoom
        <input
          type="range"
          className="min-w-0 grow cursor-pointer accent-primary"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={crop?.zoom ?? 1}
          aria-valuetext={`${Math.round((crop?.zoom ?? 1) * 100)} percent`}
          disabled={!crop}
          onChange={(event) => {
            const to = Number(event.target.value);
            updateCrop((current, imageSize) => zoomTo(current, imageSize, to));
          }}
        />
      </label>
      <div className="flex justify-center gap-2">
        {MOVES.map((move) => (
          <IconButton
            key={move.key}
            label={`${move.label}`}
            icon={move.icon}
            className="border border-base-300"
            onClick={() => updateCrop((current, imageSize) => pan(current, imageSize, move.right, move.down))}
          />
        ))}
      </div>
    </Sheet>
  );
}

interface FrameProps {
  picture: File;
  size: Size | null;
  crop: Crop | null;
  onSize: (size: Size) => void;
  onUnreadable: () => void;
  updateCrop: (update: (crop: Crop, size: Size) => Crop) => void;
}

/** Converts a point of the window to fractions of the frame. */
const toShare = ({ x, y }: Point, frame: DOMRect): Point => ({
  x: (x - frame.left) / frame.width,
  y: (y - frame.top) / frame.height,
});

/** The picture behind the crop frame. Dragging moves it; pinch and wheel zoom around their position. */
function Frame({ picture, size, crop, onSize, onUnreadable, updateCrop }: FrameProps) {
  const hint = useId();
  const frame = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(picture);
    if (image.current) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [picture]);
  const zoomByWheel = useEffectEvent((event: WheelEvent, element: HTMLElement) => {
    event.preventDefault();
    const at = toShare({ x: event.clientX, y: event.clientY }, element.getBoundingClientRect());
    updateCrop((current, imageSize) => zoomTo(current, imageSize, current.zoom * Math.exp(-event.deltaY / 400), at));
  });
  // React's wheel listeners are passive and cannot keep the sheet from scrolling, so this one is added natively.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const handleWheel = (event: WheelEvent) => zoomByWheel(event, element);
    element.addEventListener('wheel', handleWheel, { passive: false });
    return () => element.removeEventListener('wheel', handleWheel);
  }, []);

  const fingers = useFingers(({ by, factor, middle, frame: box }) =>
    updateCrop((current, imageSize) => {
      const moved = pan(current, imageSize, by.x / box.width, by.y / box.height);
      return factor === 1 ? moved : zoomTo(moved, imageSize, moved.zoom * factor, toShare(middle, box));
    }),
  );
  const handleKey = (event: KeyboardEvent) => {
    const move = MOVES.find((each) => each.key === event.key);
    const zoom = event.key === '+' || event.key === '=' ? ZOOM_STEP : event.key === '-' ? -ZOOM_STEP : 0;
    if (move) updateCrop((current, imageSize) => pan(current, imageSize, move.right, move.down));
    else if (zoom !== 0) updateCrop((current, imageSize) => zoomTo(current, imageSize, current.zoom + zoom));
    else return;
    event.preventDefault();
  };

  const part = size && crop && toRect(crop, size);
  return (
    <>
      <div
        ref={frame}
        role="group"
        aria-label="The part you keep"
        aria-describedby={hint}
        tabIndex={0}
        className="relative mx-auto aspect-[4/5] w-full max-w-64 cursor-grab touch-none overflow-hidden rounded-xl bg-base-300 active:cursor-grabbing"
        {...fingers}
        onKeyDown={handleKey}
      >
        <img
          ref={image}
          alt="Your picture"
          draggable={false}
          className="absolute max-w-none select-none"
          style={
            part
              ? {
                  width: `${(size.width / part.width) * 100}%`,
                  left: `${(-part.left / part.width) * 100}%`,
                  top: `${(-part.top / part.height) * 100}%`,
                }
              : { opacity: 0 }
          }
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => onSize({ width, height })}
          onError={onUnreadable}
        />
      </div>
      <p id={hint} className="text-center text-sm text-muted">
        Drag to move, pinch or scroll to zoom. By keyboard: arrows, + and −.
      </p>
    </>
  );
}
