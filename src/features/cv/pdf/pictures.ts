import type { Weight } from './fonts.ts';
import type { TextMark } from './marks.ts';

/**
 * Draws text that no embedded font has, with the fonts of the device. The text is a picture in the PDF, with its words as the text that
 * is read and copied.
 */
export interface TextPictures {
  /** In points. */
  widthOf: (text: string, weight: Weight, size: number) => number;
  draw: (text: string, mark: Pick<TextMark, 'weight' | 'size' | 'color'>) => Promise<TextPicture>;
}

/** A JPEG. `below`: how far it reaches below the baseline; lengths in points. */
export interface TextPicture {
  bytes: ArrayBuffer;
  width: number;
  height: number;
  below: number;
}

/** Pixels of a picture for each point: 300 dots an inch. */
const SCALE = 300 / 72;
/** Room above and below the baseline for the tallest scripts, as a share of the size. */
const ABOVE = 1.3;
const BELOW = 0.7;

const fontOf = (weight: Weight, size: number) => `${weight === 'bold' ? 700 : 400} ${size}px sans-serif`;

/** @returns null in a browser that cannot draw beside the page */
export function createTextPictures(): TextPictures | null {
  if (typeof OffscreenCanvas === 'undefined') return null;
  const ruler = new OffscreenCanvas(1, 1).getContext('2d');
  if (ruler === null) return null;
  return {
    widthOf: (text, weight, size) => {
      ruler.font = fontOf(weight, size);
      return ruler.measureText(text).width;
    },
    draw: async (text, { weight, size, color }) => {
      ruler.font = fontOf(weight, size);
      const width = ruler.measureText(text).width;
      const height = size * (ABOVE + BELOW);
      const canvas = new OffscreenCanvas(Math.max(1, Math.ceil(width * SCALE)), Math.max(1, Math.ceil(height * SCALE)));
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('The browser did not give a canvas');
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.scale(canvas.width / width, canvas.height / height);
      context.font = fontOf(weight, size);
      context.fillStyle = color;
      context.fillText(text, 0, size * ABOVE);
      const file = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
      return { bytes: await file.arrayBuffer(), width, height, below: size * BELOW };
    },
  };
}
