import { AVAILABILITY_AUDIENCES, type AvailabilityAudience } from '#contract/records/availability.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Card } from '#ui/Card.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { ResourceState } from './ResourceState.tsx';
import { useSettings } from './use-settings.ts';

const AUDIENCES = Object.keys(AVAILABILITY_AUDIENCES) as AvailabilityAudience[];

/** Who sees on which days the person is free. */
export function AvailabilityAudienceCard() {
  const { resource, changeAvailabilityFor } = useSettings();
  const isOnline = useOnline();
  const chosen = resource.status === 'loaded' ? (resource.data.availability_for ?? 'nobody') : null;
  return (
    <Card title="Who sees it">
      <ResourceState resource={resource} loadingLabel="Loading who sees your days" height="h-32" />
      {chosen !== null && (
        <fieldset disabled={!isOnline}>
          <legend className="text-muted">
            They see on which days you are free or not free, and never why. If you’re under 18, only your connections
            see them.
          </legend>
          {AUDIENCES.map((audience) => (
            <label key={audience} className="flex min-h-11 cursor-pointer items-center gap-3 font-medium">
              <input
                type="radio"
                name="availability_for"
                className="radio"
                checked={audience === chosen}
                onChange={() => void changeAvailabilityFor(audience)}
              />
              {AVAILABILITY_AUDIENCES[audience]}
            </label>
          ))}
        </fieldset>
      )}
      <OnlineOnly doing="Changing this">{null}</OnlineOnly>
    </Card>
  );
}
