import type { Item } from '#db/views.ts';
import { ReportButton } from '#shared/people/ReportButton.tsx';

/** Reports feedback that somebody left on a profile. */
export function FeedbackReport({ item }: { item: Item }) {
  const author = item.body.profile as { user: { name: string } } | null | undefined;
  const userId = item.body.user_id;
  if (author == null || userId == null) return null;
  const { name } = author.user;
  return (
    <ReportButton
      person={{ userId: String(userId), name }}
      about={{ type: 'feedback', id: item.id, name: `feedback from ${name}` }}
      look="icon"
      className="-mr-3 -my-1 self-center text-muted"
    />
  );
}
