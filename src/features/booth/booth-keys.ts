import { type BoothSettings, SIZES, SPEEDS } from './settings.ts';

const within = (value: number, { min, max }: { min: number; max: number }) => Math.min(max, Math.max(min, value));

/** What a key changes in the settings; null if nothing. The arrows set the speed, plus and minus the size, M mirrors. */
export function getKeyChange(
  key: string,
  { speed, size, isMirrored }: Pick<BoothSettings, 'speed' | 'size' | 'isMirrored'>,
): Partial<BoothSettings> | null {
  switch (key) {
    case 'ArrowUp':
      return { speed: within(speed + 1, SPEEDS) };
    case 'ArrowDown':
      return { speed: within(speed - 1, SPEEDS) };
    case '+':
    case '=':
      return { size: within(size + 1, SIZES) };
    case '-':
      return { size: within(size - 1, SIZES) };
    case 'm':
    case 'M':
      return { isMirrored: !isMirrored };
    default:
      return null;
  }
}
