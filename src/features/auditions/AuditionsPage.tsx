import { CalendarDays, Clapperboard, Clock, TriangleAlert } from 'lucide-react';
import { type AuditionView, listAuditions } from '#db/casting.ts';
import { countTakesByAudition, type LocalTakes } from '#db/takes.ts';
import { isDueSoon, lowerFirst, momentText, timeLeftText } from '#lib/deadline.ts';
import { initials } from '#lib/text.ts';
import { CastingPageFrame } from '#shared/casting/CastingPageFrame.tsx';
import { LocalTakesPill } from '#shared/casting/LocalTakesPill.tsx';
import { getFinished, lateText } from '#shared/casting/tape-text.ts';
import { RequestPill } from '#shared/casting/RequestPill.tsx';
import { projectFacts } from '#shared/casting/role-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { ButtonLink } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { Chips } from '#ui/Chips.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { Link, useSearchParams } from '#ui/router.tsx';
import { useNow } from '#ui/use-now.ts';
import { VerifiedMark } from '#ui/verified-mark.ts';
import { getUnsentTakes, type Group, group, GROUPS, withTapeState } from './groups.ts';
import { MovedDeadline } from '#shared/casting/MovedDeadline.tsx';

/** The auditions that the person was asked for, read from this device so that they are the same offline. */
export function AuditionsPage() {
  return (
    <CastingPageFrame
      title="Auditions"
      query={listAuditions}
      deps={[]}
      signInText="Auditions are for you alone."
      noun="page"
    >
      {(auditions) => <Auditions auditions={auditions} />}
    </CastingPageFrame>
  );
}

function Auditions({ auditions }: { auditions: readonly AuditionView[] }) {
  // In the address, so that Back leads to the same list.
  const [params, setParams] = useSearchParams();
  const now = useNow();
  const takesOf = useQuery(countTakesByAudition, []);
  if (auditions.length === 0) {
    return (
      <ErrorPage
        icon={Clapperboard}
        title="No auditions yet"
        text="When somebody asks you to tape for a role, it is here, with its deadline and its pages, also without signal."
        action={
          <ButtonLink to="/availability" look="line" icon={CalendarDays}>
            Your availability
          </ButtonLink>
        }
      />
    );
  }
  const groups = group(auditions);
  const names = Object.keys(GROUPS) as Group[];
  const chosen = names.find((name) => name === params.get('show'));
  return (
    <div className="mx-auto grid max-w-[672px] grid-cols-1 gap-3 px-3 pt-1 pb-6 md:pt-6">
      <div className="flex items-center gap-2 px-1">
        <h1 className="grow text-2xl font-bold max-md:sr-only">Auditions</h1>
        <ButtonLink to="/availability" look="line" icon={CalendarDays} className="max-md:w-full">
          Your availability
        </ButtonLink>
      </div>
      <div className="px-1">
        <Chips
          label="Which auditions"
          value={chosen ?? 'all'}
          onChange={(next) => setParams(next === 'all' ? {} : { show: next }, { replace: true })}
          options={[
            { value: 'all', label: 'All', count: auditions.length },
            ...names.map((name) => ({ value: name, label: GROUPS[name], count: groups[name].length })),
          ]}
        />
      </div>
      {names
        .filter((name) => groups[name].length > 0 && (chosen ?? name) === name)
        .map((name) => (
          <Card key={name} title={GROUPS[name]} count={groups[name].length}>
            <ul>
              {groups[name].map((item) => (
                <AuditionRow
                  key={item.key}
                  item={item}
                  localTakes={getUnsentTakes(item, takesOf)}
                  now={now}
                  group={name}
                />
              ))}
            </ul>
          </Card>
        ))}
      {chosen && groups[chosen].length === 0 && <p className="px-1 text-muted">Nothing here.</p>}
    </div>
  );
}

interface AuditionRowProps {
  item: AuditionView;
  localTakes: LocalTakes | undefined;
  now: number;
  group: Group;
}

function AuditionRow({ item, localTakes, now, group: name }: AuditionRowProps) {
  const { body } = item;
  const { role, project, casting } = body;
  const due = Date.parse(body.deadline_at);
  const [tape] = item.tapes;
  // The deadline of what was answered, or is over, is nothing to hurry for.
  const hasTime = name === 'todo' || (name === 'casting' && tape !== undefined);
  const said = body.answers.at(-1)?.text ?? body.withdraw_text;
  return (
    <li className="border-t border-base-300 first:border-t-0">
      <Link to={`/auditions/${item.id}`} className="flex items-start gap-3 rounded-field py-3">
        <span
          className="grid size-11 shrink-0 place-items-center rounded-xl bg-neutral text-sm font-bold text-neutral-content"
          aria-hidden
        >
          {initials(project.title)}
        </span>
        <span className="min-w-0 grow">
          <span className="flex items-start gap-2">
            <span className="min-w-0 grow leading-snug font-semibold break-words">
              {role.name}
              {body.round === 'callback' && <span className="font-normal text-muted"> · Callback</span>}
            </span>
            {localTakes ? (
              <LocalTakesPill takes={localTakes} />
            ) : (
              <RequestPill item={withTapeState(item)} isPerformer />
            )}
          </span>
          <span className="block text-sm break-words text-muted">
            {project.title}, {projectFacts(project)}
          </span>
          <span className="block text-sm break-words text-muted">
            {casting.name}
            {casting.verified && <VerifiedMark office={casting.verified.name} />}
          </span>
          {hasTime && (
            <span className="mt-1 flex items-center gap-1.5 text-sm font-semibold">
              <Clock className="ic size-4 shrink-0 text-muted" aria-hidden />
              {tape === undefined ? (
                <span>
                  <MovedDeadline body={body} now={now} />
                  {momentText(due, now)}
                  <span className={isDueSoon(due, now) ? 'text-needs' : 'text-muted'}> · {timeLeftText(due, now)}</span>
                </span>
              ) : (
                <span>
                  Finished {lowerFirst(momentText(getFinished(tape), now))},{' '}
                  {lateText(getFinished(tape), body.deadline_at) || 'in good time'}
                </span>
              )}
            </span>
          )}
          {body.notice_changes.at(-1)?.confirmed_at === null && name !== 'over' && (
            <span className="mt-1 flex items-center gap-1.5 text-sm font-semibold text-phone">
              <TriangleAlert className="ic size-4 shrink-0" aria-hidden />
              {body.confirmed_at === null ? 'Notices changed' : 'Notices changed. Confirm again'}
            </span>
          )}
          {said && <span className="mt-1 block text-sm break-words">“{said}”</span>}
        </span>
      </Link>
    </li>
  );
}
