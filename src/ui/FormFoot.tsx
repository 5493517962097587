import type { ComponentProps } from 'react';
import { Button } from './Button.tsx';

type FormFootProps = { onDiscard: () => void } & Omit<ComponentProps<typeof Button>, 'type' | 'look' | 'className'>;

/** The foot of a form's sheet: Discard and the submit button, equally wide. */
export function FormFoot({ onDiscard, ...submit }: FormFootProps) {
  return (
    <>
      <Button look="line" className="flex-1" onClick={onDiscard}>
        Discard
      </Button>
      <Button {...submit} type="submit" className="flex-1" />
    </>
  );
}
