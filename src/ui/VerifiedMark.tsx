import { BadgeCheck } from 'lucide-react';

/** The mark of a verified casting office, behind the name of a person. */
export function VerifiedMark({ office }: { office: string }) {
  const label = `Verified office: ${office}`;
  return (
    <span className="ml-1 inline-block align-text-bottom text-primary" role="img" aria-label={label} title={label}>
      <BadgeCheck className="ic size-[18px]" aria-hidden />
    </span>
  );
}

const YEAR_LENGTH = 4;

/** The name of the office in the head of a person's page, and since when an operator vouches for it. */
export function VerifiedOffice({ office }: { office: { name: string; since: string } }) {
  return (
    <p className="mt-1 flex items-start gap-1.5 font-semibold break-words">
      <BadgeCheck className="ic mt-0.5 size-[18px] shrink-0" aria-hidden />
      <span className="min-w-0">
        {office.name}, verified office since {office.since.slice(0, YEAR_LENGTH)}
      </span>
    </p>
  );
}
