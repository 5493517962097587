import { useMemo, useState } from 'react';
import { useDraft } from '#shared/forms/use-draft.ts';
import { DEFAULT_CHOICES, parseChoices, type CvChoices } from './choices.ts';

/**
 * The choices for the CV of a profile. They stay on this device.
 * @returns null until they are read
 */
export function useCvChoices(profileId: string): {
  choices: CvChoices | null;
  setChoices: (choices: CvChoices) => void;
} {
  const { kept, keep } = useDraft(`cv ${profileId}`);
  const [chosen, setChosen] = useState<CvChoices | null>(null);
  const stored = useMemo(() => {
    if (kept === undefined) return null;
    return kept === null ? DEFAULT_CHOICES : parseChoices(kept);
  }, [kept]);
  return {
    choices: chosen ?? stored,
    setChoices: (choices) => {
      setChosen(choices);
      keep({ ...choices });
    },
  };
}
