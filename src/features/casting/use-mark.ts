import type { Grade } from '#contract/records/tapes.ts';
import { useAccount } from '#session/session.tsx';
import { getPerformer } from './performer.ts';
import type { Taped } from './taped.ts';

export const GRADE_WORDS: Record<Grade, string> = { A: 'Callback', B: 'Maybe', C: 'No' };

/** Saves what the person thinks of a tape. What is not given stays. @param title 'Naseem, The Salt Road' */
export function useMark(request: Taped, title: string) {
  const { engine } = useAccount();
  return (fields: { grade?: Grade | null; text?: string }) =>
    engine.act({
      type: 'tape',
      id: request.tape.id,
      act: 'mark',
      fields,
      title: `${getPerformer(request).name}, ${title}`,
    });
}
