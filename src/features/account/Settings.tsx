import { useState } from 'react';
import { Card } from '#ui/Card.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { lazyOptional } from '#ui/lazy-part.ts';
import { usePageTitle } from '#ui/page-title.ts';
import { BlockedCard } from './BlockedCard.tsx';
import { DeleteAccountCard } from './DeleteAccountCard.tsx';
import { ExportCard } from './ExportCard.tsx';
import { LargeFilesCard } from './LargeFilesCard.tsx';
import { NameAndEmail } from './NameAndEmail.tsx';
import { NewsMailCard } from './NewsMailCard.tsx';
import { PasswordCard } from './PasswordCard.tsx';
import { PrivacyCard } from './PrivacyCard.tsx';
import { Sessions } from './Sessions.tsx';
import { SettingCard } from './SettingCard.tsx';
import { StorageCard } from './StorageCard.tsx';
import { setTheme, useTheme, type Theme } from './theme.ts';
import { useSettings } from './use-settings.ts';

/** Their code is fetched only here. */
const AgeCard = lazyOptional(async () => (await import('./AgeCard.tsx')).AgeCard);
const NotificationsCard = lazyOptional(async () => (await import('./NotificationsCard.tsx')).NotificationsCard);
const SignInSafety = lazyOptional(async () => (await import('./SignInSafety.tsx')).SignInSafety);

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'Match device' },
  { value: 'callboard', label: 'Light' },
  { value: 'blackout', label: 'Dark' },
];

export function Settings() {
  usePageTitle('Settings');
  const theme = useTheme();
  const settings = useSettings();
  const [refreshKey, setRefreshKey] = useState(0);
  const [ageKey, setAgeKey] = useState(0);
  return (
    <div className="mx-auto max-w-2xl space-y-3 px-3 pt-1 md:pt-6">
      <h1 className="px-1 text-2xl font-bold max-md:sr-only">Settings</h1>
      <Card title="Appearance">
        <ChoiceChips
          label="Theme"
          name="theme"
          options={THEMES}
          value={theme}
          onChange={(value) => setTheme(value as Theme)}
        />
      </Card>
      <NotificationsCard />
      <NewsMailCard {...settings} />
      <SettingCard
        {...settings}
        title="Messages"
        name="read_receipts"
        label="Read receipts"
        text="People see what you have read, and you see what they have read. When this is off, neither of you sees read receipts."
      />
      <SettingCard
        {...settings}
        title="Auditions"
        name="audition_receipts"
        label="Say when I have seen a request"
        text="Those who ask you to audition learn when you opened their request. When this is off, they learn nothing until you answer."
      />
      <LargeFilesCard />
      <PrivacyCard {...settings} refreshKey={ageKey} />
      <Sessions refreshKey={refreshKey} />
      <SettingCard
        {...settings}
        title="New devices"
        name="sign_in_mail"
        label="Tell me about new devices"
        text="We send you an e-mail when a device signs in to your account for the first time."
      />
      <PasswordCard onChanged={() => setRefreshKey(refreshKey + 1)} />
      <SignInSafety onChanged={() => setRefreshKey(refreshKey + 1)} />
      <BlockedCard />
      <StorageCard />
      <ExportCard />
      <NameAndEmail />
      <AgeCard onChanged={() => setAgeKey(ageKey + 1)} />
      <DeleteAccountCard />
    </div>
  );
}
