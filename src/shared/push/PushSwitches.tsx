import { PUSH_KIND_NAMES } from '#contract/push-kind-names.ts';
import { PUSH_KINDS } from '#contract/push-kinds.ts';
import type { PushSettings, PushSettingsChange } from '#contract/records/push.ts';

interface RowProps {
  label: string;
  hint: string;
  checked: boolean;
  disabled?: boolean | undefined;
  onChange: (checked: boolean) => void;
}

/** A switch with a line about what it does. */
export function SwitchRow({ label, hint, checked, disabled, onChange }: RowProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 border-t border-base-300 py-2.5 first:border-t-0">
      <span className="grow">
        <b className="block text-[0.9375rem] font-semibold">{label}</b>
        <span className="text-sm text-muted">{hint}</span>
      </span>
      <input
        type="checkbox"
        role="switch"
        className="toggle toggle-primary"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}

interface Props {
  settings: PushSettings;
  disabled?: boolean;
  onChange: (change: PushSettingsChange) => void;
}

/** What a person wants to be notified of, and whether it names people. */
export function PushSwitches({ settings, disabled, onChange }: Props) {
  return (
    <div>
      {PUSH_KIND_NAMES.map((name) => (
        <SwitchRow
          key={name}
          label={PUSH_KINDS[name].label}
          hint={PUSH_KINDS[name].hint}
          checked={settings.kinds[name]}
          disabled={disabled}
          onChange={(isOn) => onChange({ kinds: { [name]: isOn } })}
        />
      ))}
      <SwitchRow
        label="No names on the lock screen"
        hint={`Shows “${PUSH_KINDS.message.anonymous}”`}
        checked={settings.hide_names}
        disabled={disabled}
        onChange={(isOn) => onChange({ hide_names: isOn })}
      />
    </div>
  );
}
