import { type Grade, GRADES } from '#contract/records/tapes.ts';
import { GRADE_WORDS } from './use-mark.ts';

interface GradesProps {
  value: Grade | null;
  /** Null: the grade was taken back. */
  onChange: (grade: Grade | null) => void;
}

/** A, B and C. Pressing the chosen one takes it back. */
export function Grades({ value, onChange }: GradesProps) {
  return GRADES.map((grade) => {
    const isChosen = value === grade;
    return (
      <button
        key={grade}
        type="button"
        className={`btn ${isChosen ? 'btn-primary' : 'btn-line'}`}
        aria-pressed={isChosen}
        onClick={() => onChange(isChosen ? null : grade)}
      >
        <b>{grade}</b> {GRADE_WORDS[grade]}
      </button>
    );
  });
}
