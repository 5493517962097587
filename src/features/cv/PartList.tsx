import { ArrowDown, ArrowUp } from 'lucide-react';
import { IconButton } from '#ui/Button.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { movePart, type CvChoices, type HeadKey, type PartKey } from './choices.ts';

const HEAD_LABELS: Record<HeadKey, string> = {
  portrait: 'Photo',
  code: 'QR code and address',
  city: 'City',
  age: 'Playing age',
  attributes: 'Height, hair, eyes and so on',
  languages: 'Languages',
  contacts: 'Contacts',
};
const PART_LABELS: Record<PartKey, string> = {
  credits: 'Credits',
  training: 'Training',
  skills: 'Skills',
  voice: 'Voice',
  awards: 'Awards',
  links: 'Links',
};

interface PartListProps {
  choices: CvChoices;
  onChange: (choices: CvChoices) => void;
  /** What the profile has. Nothing else is listed. */
  headKeys: readonly HeadKey[];
  partKeys: readonly PartKey[];
}

/** What the CV shows, and in which order. */
export function PartList({ choices, onChange, headKeys, partKeys }: PartListProps) {
  const { order, leftOut } = choices;
  const toggle = (key: PartKey | HeadKey, isShown: boolean) =>
    onChange({ ...choices, leftOut: isShown ? leftOut.filter((each) => each !== key) : [...leftOut, key] });
  const shown = order.filter((key) => partKeys.includes(key));
  /** Moves a part past the next one that is listed. */
  const move = (key: PartKey, step: -1 | 1) => {
    const neighbor = shown[shown.indexOf(key) + step];
    if (neighbor === undefined) return;
    const distance = Math.abs(order.indexOf(neighbor) - order.indexOf(key));
    let moved: readonly PartKey[] = order;
    for (let count = 0; count < distance; count += 1) moved = movePart(moved, key, step);
    onChange({ ...choices, order: moved });
  };
  return (
    <>
      <ul>
        {headKeys.map((key) => (
          <li key={key}>
            <Toggle
              label={HEAD_LABELS[key]}
              checked={!leftOut.includes(key)}
              onChange={(isShown) => toggle(key, isShown)}
            />
          </li>
        ))}
      </ul>
      <ol className="mt-2 border-t border-base-300 pt-2">
        {shown.map((key, index) => (
          <li key={key} className="flex items-center">
            <div className="min-w-0 grow">
              <Toggle
                label={PART_LABELS[key]}
                checked={!leftOut.includes(key)}
                onChange={(isShown) => toggle(key, isShown)}
              />
            </div>
            <IconButton
              label={`Move ${PART_LABELS[key]} up`}
              icon={ArrowUp}
              aria-disabled={index === 0}
              onClick={() => move(key, -1)}
            />
            <IconButton
              label={`Move ${PART_LABELS[key]} down`}
              icon={ArrowDown}
              aria-disabled={index === shown.length - 1}
              onClick={() => move(key, 1)}
            />
          </li>
        ))}
      </ol>
    </>
  );
}
