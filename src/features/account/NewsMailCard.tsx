import { useAccount } from '#session/session.tsx';
import { SwitchRow } from '#shared/push/PushSwitches.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { Card } from '#ui/Card.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { ResourceState } from './ResourceState.tsx';
import type { SettingsState } from './use-settings.ts';

/** Whether news that reached no device is told by e-mail, and whether messages count too. */
export function NewsMailCard({ resource, change }: SettingsState) {
  const { user } = useAccount();
  const isOnline = useOnline();
  if (resource.status !== 'loaded') {
    return (
      <Card title="E-mail about news">
        <ResourceState resource={resource} loadingLabel="Loading your setting" height="h-11" />
      </Card>
    );
  }
  const { news_mail: hasNews, message_mail: hasMessages } = resource.data;
  // A server without these switches sends none of these e-mails.
  if (hasNews === undefined) return null;
  return (
    <Card title="E-mail about news">
      {user.email_verified === false && (
        <p className="pb-2 text-sm font-medium text-phone">E-mail goes out once your address is confirmed.</p>
      )}
      <SwitchRow
        label="News"
        hint="What reached none of your devices. At most one e-mail an hour, outside your quiet hours, without names"
        checked={hasNews}
        disabled={!isOnline}
        onChange={(isOn) => void change('news_mail', isOn)}
      />
      <SwitchRow
        label="Messages too"
        hint={hasNews ? 'Counts the messages in those e-mails' : 'Needs e-mail about news to be on'}
        checked={hasNews && hasMessages === true}
        disabled={!isOnline || !hasNews}
        onChange={(isOn) => void change('message_mail', isOn)}
      />
      <OnlineOnly doing="Changing this">{null}</OnlineOnly>
    </Card>
  );
}
