import { Hand } from 'lucide-react';
import type { DeskPerson } from '#contract/records/desk.ts';
import { dayText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { ButtonLink } from '#ui/Button.tsx';
import { VerifiedOffice } from '#ui/VerifiedMark.tsx';

interface PersonHeadProps {
  person: { name: string; profile_photo: string | null };
  /** Null if the account is gone. */
  context: DeskPerson | null;
}

/** Who somebody at the desk decides about, with the badge of an office, or a warning that the name looks like one. */
export function PersonHead({ person, context }: PersonHeadProps) {
  return (
    <section className="notice p-4 md:p-5" aria-label="The person">
      <div className="flex flex-wrap items-start gap-3.5">
        <Avatar name={person.name} src={person.profile_photo} size="size-14" decorative />
        <div className="min-w-0 grow basis-48">
          <h2 className="text-xl font-bold break-words">{person.name}</h2>
          <p className="text-[0.9375rem] text-muted">
            {context
              ? `Joined ${dayText(context.joined_at)}. E-mail ${context.email_verified ? '' : 'not '}confirmed. ${count(context.requests_sent, 'request')} sent.`
              : 'The account is gone.'}
            {context?.state === 'suspended' && ' Suspended now.'}
            {context?.state === 'removing' && ' Being removed.'}
          </p>
          {context?.office && <VerifiedOffice office={context.office} />}
        </div>
        {context?.slug && context.profile_type_slug && (
          <ButtonLink look="line" to={`/profile/${context.slug}/${context.profile_type_slug}`}>
            Open profile
          </ButtonLink>
        )}
      </div>
      {context?.looks_like.map((office) => (
        <p key={office} className="mt-3 flex gap-2.5 rounded-xl bg-needs-tint p-3 text-sm font-medium text-needs">
          <Hand className="ic mt-0.5 shrink-0" aria-hidden />
          <span className="min-w-0 break-words">
            The name looks like <b className="font-bold">{office}</b>, a verified office. This account is not theirs.
          </span>
        </p>
      ))}
    </section>
  );
}
