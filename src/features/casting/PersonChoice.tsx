import { Avatar } from '#ui/Avatar.tsx';

interface PersonChoiceProps {
  name: string;
  photo: string | null;
  /** Under the name; empty for nothing. */
  text?: string | null;
  isChosen: boolean;
  isDisabled?: boolean;
  onChange: (isChosen: boolean) => void;
}

/** A row of a list in which people are ticked. */
export function PersonChoice({ name, photo, text, isChosen, isDisabled = false, onChange }: PersonChoiceProps) {
  return (
    <li className="border-t border-base-300 first:border-t-0">
      <label className="flex min-h-14 cursor-pointer items-center gap-3 py-1.5">
        <input
          type="checkbox"
          className="checkbox checkbox-primary"
          checked={isChosen}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.checked)}
        />
        <Avatar name={name} src={photo} size="size-10" decorative />
        <span className="min-w-0 leading-snug">
          <span className="block font-semibold break-words">{name}</span>
          <span className="block text-sm break-words text-muted empty:hidden">{text}</span>
        </span>
      </label>
    </li>
  );
}
