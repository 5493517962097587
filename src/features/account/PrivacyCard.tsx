import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import { LEGAL } from '#contract/legal.ts';
import type { Privacy } from '#contract/records/account.ts';
import type { Account, Consent } from '#contract/records/consent.ts';
import { dayText } from '#lib/dates.ts';
import { SwitchRow } from '#shared/push/PushSwitches.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { Card } from '#ui/Card.tsx';
import { Link } from '#ui/router.tsx';
import { GuardianForm } from './GuardianForm.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { ResourceState } from './ResourceState.tsx';
import { useServerResource } from './use-server-resource.ts';
import type { SettingsState } from './use-settings.ts';

const SWITCHES: readonly { name: keyof Privacy; label: string; hint: string }[] = [
  { name: 'phone', label: 'Phone numbers', hint: 'Of your agent and other public contacts' },
  { name: 'email', label: 'E-mail addresses', hint: 'Of your agent and other public contacts' },
  { name: 'day_rate', label: 'Day rate', hint: 'For people who are signed in' },
  { name: 'search_engines', label: 'Search engines', hint: 'Google and others may list your page' },
];

interface PrivacyCardProps extends Pick<SettingsState, 'resource' | 'changePrivacy'> {
  /** A new value causes a refetch. */
  refreshKey: number;
}

/** What people without a connection see, the guardian of a person under 18, and which texts the person agreed to. */
export function PrivacyCard({ resource, changePrivacy, refreshKey }: PrivacyCardProps) {
  const isOnline = useOnline();
  const { resource: account } = useServerResource<Account>(CONSENT_CALLS.account, {
    missingMessage: 'This is not available here.',
    refreshKey,
  });
  const { resource: consents } = useServerResource<Consent[]>(CONSENT_CALLS.consents, { missingMessage: '' });
  if (account.status === 'unavailable') return null;
  const isLoaded = resource.status === 'loaded' && account.status === 'loaded';
  // A guardian may have agreed to the same version.
  const agreed = consents.status === 'loaded' ? consents.data : [];
  const firsts = agreed.filter(({ document, version }, at) => {
    return agreed.findIndex((each) => each.document === document && each.version === version) === at;
  });
  const privacy = resource.status === 'loaded' ? resource.data.privacy : undefined;
  return (
    <Card title="What visitors see">
      <ResourceState
        resource={resource.status === 'loaded' ? account : resource}
        loadingLabel="Loading your settings"
        height="h-44"
      />
      {isLoaded && account.data.is_minor && (
        <div className="space-y-3">
          <p className="text-muted">
            Until you are 18, only your connections see your contacts and your day rate, and search engines don’t list
            your page.
          </p>
          {account.data.born_on !== null && (
            <OnlineOnly doing="Asking a parent or guardian">
              <GuardianForm />
            </OnlineOnly>
          )}
        </div>
      )}
      {isLoaded && !account.data.is_minor && privacy && (
        <>
          <p className="text-muted">
            Your connections see everything. Choose what others see too. “View as” under Share shows it.
          </p>
          <div className="mt-1">
            {SWITCHES.map(({ name, label, hint }) => (
              <SwitchRow
                key={name}
                label={label}
                hint={hint}
                checked={privacy[name]}
                disabled={!isOnline}
                onChange={(isOn) => void changePrivacy(name, isOn)}
              />
            ))}
          </div>
          <OnlineOnly doing="Changing this">{null}</OnlineOnly>
        </>
      )}
      {isLoaded && (
        <p className="mt-3 text-sm text-muted">
          Choose who sees your free days in your{' '}
          <Link to="/availability" className="underline">
            availability
          </Link>
          .
        </p>
      )}
      {firsts.length > 0 && (
        <ul className="mt-3 space-y-1 text-sm text-muted">
          {firsts.map(({ document, version, agreed_at }) => (
            <li key={`${document} ${version}`}>
              <Link to={LEGAL[document].path} className="underline">
                {LEGAL[document].title}
              </Link>
              , version {version}: agreed on {dayText(agreed_at)}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
