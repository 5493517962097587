import { ArrowDown, ArrowUp, CornerDownRight, GripVertical, RotateCcw, Send, UserMinus, UserRound } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { CardView, ColumnView } from '#db/shortlist.ts';
import { RequestPill } from '#shared/casting/RequestPill.tsx';
import { Avatar } from '#ui/Avatar.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { Link } from '#ui/router.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import type { Spot } from './arrange.ts';

/** Where a dragged card would come to stand. */
const DROP_LINE =
  'relative before:absolute before:inset-x-0 before:-top-1.5 before:h-1 before:rounded-full before:bg-accent';

/** The page of a performer; null where others do not see it. */
function getProfilePath({ slug, profile_type: type }: CardView['performer']): string | null {
  return slug != null && type != null ? `/profile/${slug}/${type.slug}` : null;
}

export interface CandidateActs {
  onMove: (card: CardView, spot: Spot) => void;
  /** Handles an arrow key on the handle. @returns whether it moved the card */
  onKey: (card: CardView, key: string) => boolean;
  onAsk: (cards: readonly CardView[]) => void;
  onRemove: (card: CardView) => void;
  /** Puts back a card that was taken off elsewhere while it was moved here. */
  onPutBack: (card: CardView) => void;
}

interface CandidateItemProps extends CandidateActs {
  card: CardView;
  columns: readonly ColumnView[];
  spot: Spot;
  /** Whether the card can be moved and taken off. */
  canChange: boolean;
  canAsk: boolean;
  isDragged: boolean;
  /** Whether the dragged card would come right before this one. */
  isBefore: boolean;
  /** Whether the card is chosen; null while nothing can be chosen. */
  isChosen: boolean | null;
  onChoose: (isChosen: boolean) => void;
  dragProps: ComponentProps<'li'>;
}

/** Somebody on the shortlist. */
export function CandidateItem(props: CandidateItemProps) {
  const { card, columns, spot, canChange, canAsk, isDragged, isBefore, isChosen, onChoose, dragProps } = props;
  const { performer, request, state, reason, error } = card;
  const path = getProfilePath(performer);
  const isGone = reason === 'gone';
  const column = columns.find(({ id }) => id === spot.column);
  const item = (label: string, icon: MenuItem['icon'], to: Spot): MenuItem => ({
    label,
    ...(icon && { icon }),
    onSelect: () => props.onMove(card, to),
  });
  const items: MenuItem[] = isGone
    ? [{ label: 'Put back', icon: RotateCcw, onSelect: () => props.onPutBack(card) }]
    : [
        ...columns
          .filter(({ id }) => id !== spot.column)
          .map(({ id, name }) => item(`Move to ${name}`, CornerDownRight, { column: id, index: Infinity })),
        ...(spot.index > 0 ? [item('Move up', ArrowUp, { ...spot, index: spot.index - 1 })] : []),
        ...(spot.index < (column?.cards.length ?? 0) - 1
          ? [item('Move down', ArrowDown, { ...spot, index: spot.index + 1 })]
          : []),
        ...(canAsk && request === null
          ? [{ label: 'Ask to tape', icon: Send, onSelect: () => props.onAsk([card]) }]
          : []),
        ...(path === null ? [] : [{ label: 'Open the profile', icon: UserRound, to: path }]),
      ];
  const text = (
    <>
      <Avatar name={performer.name} src={performer.profile_photo} size="size-12" decorative />
      <span className="min-w-0 grow leading-snug">
        <b className="block truncate text-[.9375rem] font-semibold">{performer.name}</b>
        <span className="block truncate text-sm text-muted">{performer.title ?? performer.profile_type?.name}</span>
        <span className="mt-1 flex flex-wrap gap-1 empty:hidden">
          {request && <RequestPill item={request} />}
          <StatePill state={state} />
        </span>
        {isGone ? (
          <span className="mt-1 block text-sm text-needs">Taken off the shortlist elsewhere.</span>
        ) : (
          error && <span className="mt-1 block text-sm text-needs">{error.message}</span>
        )}
      </span>
    </>
  );
  return (
    <li
      data-card={card.id}
      className={`notice flex items-center gap-1 py-1 pl-2.5 select-none ${isDragged ? 'opacity-40' : ''} ${isBefore ? DROP_LINE : ''}`}
      {...dragProps}
    >
      {isChosen === null ? (
        path === null ? (
          <span className="flex min-h-16 min-w-0 grow items-center gap-2.5 py-1.5">{text}</span>
        ) : (
          <Link to={path} draggable={false} className="flex min-h-16 min-w-0 grow items-center gap-2.5 py-1.5">
            {text}
          </Link>
        )
      ) : (
        <label className="flex min-h-16 min-w-0 grow cursor-pointer items-center gap-2.5 py-1.5">
          <input
            type="checkbox"
            className="checkbox checkbox-primary"
            checked={isChosen}
            onChange={(event) => onChoose(event.target.checked)}
          />
          {text}
        </label>
      )}
      {canChange && (
        <span
          data-handle
          className="touch-none"
          onKeyDown={(event) => {
            const isMenu = event.target instanceof Element && event.target.closest('[role="menu"]') !== null;
            if (!isMenu && !isGone && props.onKey(card, event.key)) event.preventDefault();
          }}
        >
          <Menu
            label={`Move ${performer.name}`}
            trigger={<GripVertical className="ic" aria-hidden />}
            triggerClass="tap cursor-grab text-muted"
            items={[
              ...items,
              { label: 'Take off', icon: UserMinus, danger: true, onSelect: () => props.onRemove(card) },
            ]}
          />
        </span>
      )}
    </li>
  );
}
