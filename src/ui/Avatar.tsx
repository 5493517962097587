import { initials } from '#lib/text.ts';
import { RemoteImage } from './RemoteImage.tsx';

interface AvatarProps {
  name: string;
  /** URL of the picture; without one the initials are shown. */
  src?: string | null;
  /** Tailwind size: 'size-8'. */
  size?: string;
  /** True beside the written name: hides the picture from screen readers. */
  decorative?: boolean;
}

export function Avatar({ name, src, size = 'size-9', decorative = false }: AvatarProps) {
  const letters = (
    <span
      className={`${size} grid shrink-0 place-items-center rounded-full bg-secondary text-xs font-bold text-secondary-content`}
      role={decorative ? undefined : 'img'}
      aria-label={decorative ? undefined : name}
      aria-hidden={decorative || undefined}
    >
      <span aria-hidden>{initials(name)}</span>
    </span>
  );
  if (!src) return letters;
  return (
    <RemoteImage
      className={`${size} shrink-0 rounded-full bg-base-300 object-cover`}
      src={src}
      alt={decorative ? '' : name}
      fallback={letters}
    />
  );
}
