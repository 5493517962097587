import type { PushSettings } from '#contract/records/push.ts';
import { getDeviceZone } from '#lib/device-zone.ts';
import { SwitchRow } from '#shared/push/PushSwitches.tsx';

interface Props {
  quiet: PushSettings['quiet'];
  disabled: boolean;
  onChange: (quiet: PushSettings['quiet']) => void;
}

const NIGHT = { from: '22:00', to: '07:00' };
/** Mail keeps quiet hours too, also for a person without a device that receives notifications. */
const getZone = () => ({ time_zone: getDeviceZone() });

/** The hours in which notifications wait. */
export function QuietHours({ quiet, disabled, onChange }: Props) {
  const field = (name: 'from' | 'to', label: string) => (
    <label className="flex items-center gap-2 text-sm font-semibold">
      {label}
      <input
        type="time"
        className="input min-h-11 w-32"
        required
        disabled={disabled}
        // Keeps what is being typed. Only a whole time is stored.
        key={quiet?.[name]}
        defaultValue={quiet?.[name]}
        onBlur={({ target: { value } }) => {
          const next = quiet && { ...quiet, ...getZone(), [name]: value };
          if (next && value !== '' && value !== quiet[name] && next.from !== next.to) onChange(next);
        }}
      />
    </label>
  );
  return (
    <>
      <SwitchRow
        label="Quiet hours"
        hint="Notifications wait, and arrive together at the end"
        checked={quiet !== null}
        disabled={disabled}
        onChange={(isOn) => onChange(isOn ? { ...NIGHT, ...getZone() } : null)}
      />
      {quiet !== null && (
        <div className="flex flex-wrap gap-4 pb-2">
          {field('from', 'From')}
          {field('to', 'to')}
        </div>
      )}
    </>
  );
}
