import { Search } from 'lucide-react';
import { useState } from 'react';
import { DESK_CALLS } from '#contract/desk-calls.ts';
import type { DeskOffice, DeskOfficeList } from '#contract/records/desk.ts';
import { dayText } from '#lib/dates.ts';
import { call } from '#net/client.ts';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/Field.tsx';
import { Link, useNavigate } from '#ui/router.tsx';
import { ActSheet, type PlannedAct } from './ActSheet.tsx';
import { DeskFrame } from './DeskFrame.tsx';
import { Rest } from './Rest.tsx';
import { useDeskList } from './use-desk-list.ts';

/** Verified casting offices, and the way to any person by their address; for operators. */
export function OfficesPage() {
  const [plan, setPlan] = useState<PlannedAct | null>(null);
  const { result, refetch } = useDeskList<DeskOfficeList>(DESK_CALLS.offices);
  return (
    <DeskFrame title="Offices and people" result={result} onRetry={refetch}>
      {({ rows, ...rest }) => (
        <>
          <h1 className="px-1 pb-3 text-2xl font-bold max-md:sr-only">Offices and people</h1>
          <FindPerson />
          {rows.length === 0 && <p className="notice mt-3 p-4 text-muted">No office is verified yet.</p>}
          {rows.length > 0 && (
            <ul className="notice mt-3 px-4" aria-label="Verified offices">
              {rows.map((office) => (
                <OfficeRow key={office.id} office={office} onPlan={setPlan} />
              ))}
            </ul>
          )}
          <Rest {...rest} noun="offices" />
          {plan && <ActSheet plan={plan} isOperator onClose={() => setPlan(null)} onDone={refetch} />}
        </>
      )}
    </DeskFrame>
  );
}

/** Opens a person by their e-mail address. */
function FindPerson() {
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const find = async () => {
    if (isBusy) return;
    setIsBusy(true);
    const answer = await call<{ id: string }>(DESK_CALLS.findPerson, { body: { email } });
    setIsBusy(false);
    if (answer.ok) return navigate(`/desk/people/${answer.data.id}`);
    setProblem(answer.error.errors?.['email']?.[0] ?? answer.error.message);
  };
  return (
    <form
      className="notice space-y-3 p-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <TextField
        name="email"
        label="E-mail of a person"
        kind="email"
        value={email}
        onChange={setEmail}
        hint="To verify an office, or to help somebody. The log says that you looked."
        error={problem}
      />
      <Button type="submit" look="tonal" icon={Search} aria-disabled={isBusy}>
        {isBusy ? 'One moment…' : 'Open'}
      </Button>
    </form>
  );
}

function OfficeRow({ office, onPlan }: { office: DeskOffice; onPlan: (plan: PlannedAct) => void }) {
  const { id, name, domain, since, person } = office;
  return (
    <li className="row flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 grow basis-52">
        <p className="font-semibold break-words">{name}</p>
        <p className="text-sm break-words text-muted">
          {domain !== null && `${domain}. `}
          Since {dayText(since)}, {person ? '' : 'the account was deleted'}
          {person && (
            <Link to={`/desk/people/${person.id}`} className="font-semibold text-base-content underline">
              {person.name}
            </Link>
          )}
        </p>
      </div>
      <Button
        look="line"
        aria-label={`Take the badge of ${name} back`}
        onClick={() =>
          onPlan({
            act: 'office.revoke',
            title: 'Take the badge back',
            target: { type: 'office', id },
            person: person ?? { id, name },
            reportId: null,
            reason: 'other',
          })
        }
      >
        Take back
      </Button>
    </li>
  );
}
