import { useOnline } from '#shared/queries/use-online.ts';
import { Card } from '#ui/Card.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { ResourceState } from './ResourceState.tsx';
import type { SettingsState, SwitchName } from './use-settings.ts';

interface SettingCardProps extends SettingsState {
  title: string;
  name: SwitchName;
  label: string;
  /** What the setting does. */
  text: string;
}

/** One setting that the server keeps. */
export function SettingCard({ title, name, label, text, resource, change }: SettingCardProps) {
  const isOnline = useOnline();
  return (
    <Card title={title}>
      <ResourceState resource={resource} loadingLabel="Loading your setting" height="h-11" />
      {resource.status === 'loaded' && (
        <>
          <Toggle
            label={label}
            checked={resource.data[name] ?? false}
            disabled={!isOnline}
            onChange={(isOn) => void change(name, isOn)}
          />
          <p className="text-sm text-muted">{text}</p>
          <OnlineOnly doing="Changing this">{null}</OnlineOnly>
        </>
      )}
    </Card>
  );
}
