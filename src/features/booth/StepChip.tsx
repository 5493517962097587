import { Minus, Plus } from 'lucide-react';
import { IconButton } from '#ui/Button.tsx';

interface StepChipProps {
  /** 'Prompter speed' */
  label: string;
  /** 'Speed 4' */
  text: string;
  value: number;
  limits: { min: number; max: number };
  onChange: (value: number) => void;
}

/** A whole number with a button on either side. */
export function StepChip({ label, text, value, limits: { min, max }, onChange }: StepChipProps) {
  return (
    <span role="group" aria-label={label} className="flex items-center rounded-2xl bg-black/75 text-sm font-semibold">
      <IconButton
        label={`${label}: less`}
        icon={Minus}
        aria-disabled={value <= min}
        onClick={() => value > min && onChange(value - 1)}
      />
      <span className="num" aria-live="polite">
        {text}
      </span>
      <IconButton
        label={`${label}: more`}
        icon={Plus}
        aria-disabled={value >= max}
        onClick={() => value < max && onChange(value + 1)}
      />
    </span>
  );
}
