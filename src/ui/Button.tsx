import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link } from '#ui/router.tsx';

/**
 * primary: the main action. tonal: a quieter one. line: cancel or close. plain: text only. danger: cannot be undone.
 */
export type ButtonLook = 'primary' | 'tonal' | 'line' | 'plain' | 'danger';

const LOOKS: Record<ButtonLook, string> = {
  primary: 'btn btn-primary',
  tonal: 'btn btn-tonal',
  line: 'btn btn-line',
  plain: 'btn btn-ghost',
  danger: 'btn btn-error',
};

interface Look {
  look?: ButtonLook;
  /** Decorative; the text is the button's accessible name. */
  icon?: LucideIcon;
  size?: 'normal' | 'large';
}

function getClassName(look: ButtonLook, size: 'normal' | 'large', className: string | undefined): string {
  return [LOOKS[look], size === 'large' ? 'btn-lg text-base px-5' : '', className ?? ''].join(' ');
}

export function Button({
  look = 'primary',
  icon: Icon,
  size = 'normal',
  type = 'button',
  className,
  children,
  ...rest
}: Look & ComponentProps<'button'>) {
  return (
    <button type={type} className={getClassName(look, size, className)} {...rest}>
      {Icon && <Icon className="ic" aria-hidden />}
      {children}
    </button>
  );
}

/** A link that looks like a button. Use it for navigation, and a Button for actions. */
export function ButtonLink({
  look = 'primary',
  icon: Icon,
  size = 'normal',
  className,
  children,
  ...rest
}: Look & ComponentProps<typeof Link>) {
  return (
    <Link className={getClassName(look, size, className)} {...rest}>
      {Icon && <Icon className="ic" aria-hidden />}
      {children}
    </Link>
  );
}

/** A 44 px square with an icon. `label` is its accessible name and includes the object: 'Delete Warm narration'. */
export function IconButton({
  label,
  icon: Icon,
  type = 'button',
  className,
  ...rest
}: { label: string; icon: LucideIcon } & Omit<ComponentProps<'button'>, 'children' | 'aria-label'>) {
  return (
    <button type={type} aria-label={label} className={`tap ${className ?? ''}`} {...rest}>
      <Icon className="ic" aria-hidden />
    </button>
  );
}
