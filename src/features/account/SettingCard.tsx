import { useOnline } from '#shared/queries/use-online.ts';
import { Card } from '#ui/Card.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
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
      {resource.status === 'loading' && (
        <Loading label="Loading your setting">
          <Skeleton className="h-11 w-full" />
        </Loading>
      )}
      {resource.status === 'unavailable' && <p className="text-muted">{resource.message}</p>}
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
