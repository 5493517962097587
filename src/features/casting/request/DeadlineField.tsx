import { zoneHint } from '#lib/deadline.ts';
import { TextField } from '#ui/Field.tsx';
import { readDeadlineValue, toDeadlineValue } from './request-changes.ts';

interface DeadlineFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  /** The deadline as it is, ISO. It can only move to a later time. */
  stored: string;
  zone: string;
  now: number;
}

/** The deadline of requests that were sent, in the time zone in which it counts. */
export function DeadlineField({ stored, zone, now, ...field }: DeadlineFieldProps) {
  const at = Date.parse(readDeadlineValue(field.value, stored, zone));
  return (
    <TextField
      {...field}
      label="Due"
      kind="datetime-local"
      min={toDeadlineValue(stored, zone)}
      hint={`${zoneHint(Number.isNaN(at) ? null : at, zone, now)}. It can only move to a later time.`}
    />
  );
}
