import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface ErrorPageProps {
  icon: LucideIcon;
  title: string;
  /** Explains what still works. */
  text: ReactNode;
  /** One button. */
  action?: ReactNode;
  /** 2 on a page that has a title of its own. */
  level?: 1 | 2;
}

/** A full page that explains a problem and offers one action. */
export function ErrorPage({ icon: Icon, title, text, action, level = 1 }: ErrorPageProps) {
  const Title = `h${level}` as const;
  return (
    <section className="notice notice-page">
      <span className="mx-auto grid size-14 place-items-center rounded-full bg-base-200">
        <Icon className="ic size-6" aria-hidden />
      </span>
      <Title className="mt-3 text-2xl font-bold">{title}</Title>
      <div className="mt-2 text-muted">{text}</div>
      {action && <div className="mt-4">{action}</div>}
    </section>
  );
}
