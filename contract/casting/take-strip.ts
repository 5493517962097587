/** A strip shows some frames of a take side by side, spread over it, as one picture. A device makes it, and sends it with the announcement of the tape. */
export const TAKE_STRIP = {
  frames: 6,
  /** The longer edge of a frame, in pixels. */
  edgePx: 160,
  /** Of its JPEG. */
  maxBytes: 40_000,
} as const;

/** Room for such a JPEG as base64. */
export const TAKE_STRIP_BASE64_CHARS = Math.ceil(TAKE_STRIP.maxBytes / 3) * 4;
