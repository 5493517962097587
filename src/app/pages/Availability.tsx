import { AvailabilityAudienceCard } from '#features/account/AvailabilityAudienceCard.tsx';
import { AvailabilityPage } from '#features/availability/AvailabilityPage.tsx';

/** The days on which the person is free, with the setting of who sees them. */
export const Availability = () => <AvailabilityPage audience={<AvailabilityAudienceCard />} />;
