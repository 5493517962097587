import type { CardBodyProps } from './card-body.ts';

/** Renders the text with the person's own line breaks. */
export function AboutText({ section, items }: CardBodyProps) {
  const about = items[0];
  if (!about) return null;
  return (
    <p className="text-[0.96875rem] leading-relaxed break-words whitespace-pre-line">
      {section.card(about.body).title}
    </p>
  );
}
