import { ListChecks, Plus, Search, Send, UserMinus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { getRight, type PerformerCard } from '#db/casting.ts';
import { type CardView, readShortlist, type ShortlistView } from '#db/shortlist.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { CastingPageFrame } from '#shared/casting/CastingPageFrame.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { Link, useNavigate, useParams } from '#ui/router.tsx';
import { undoAction } from '#shared/undo-action.ts';
import { toast } from '#ui/Toast.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { putIntoAskForm } from '../ask-draft.ts';
import { toPerformerCard } from '../performer.ts';
import { PickSheet } from '../Performers.tsx';
import { getSearchPath } from '../search-path.ts';
import { Board } from './Board.tsx';

/** The shortlist of a role: candidates in columns, which only the side that casts ever sees. */
export function ShortlistPage() {
  const { id = '' } = useParams();
  return (
    <CastingPageFrame
      title="Shortlist"
      query={(db) => readShortlist(db, id)}
      deps={[id]}
      signInText="Shortlists belong to an account."
      noun="role"
    >
      {(view) => <Shortlist view={view} />}
    </CastingPageFrame>
  );
}

function Shortlist({ view }: { view: ShortlistView }) {
  const { engine, db } = useAccount();
  const navigate = useNavigate();
  const picking = useSheetParam('add');
  const [picked, setPicked] = useState<readonly PerformerCard[]>([]);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const { role, project, columns } = view;
  const cards = columns.flatMap((column) => column.cards);
  const right = getRight(project);
  const canChange = right !== 'read';
  const canAsk = right === 'own' && role.body.status === 'open' && project.body.status === 'open';
  const searchPath = getSearchPath(role.body, role.id);

  const add = (performers: readonly PerformerCard[], column = columns[0]?.id ?? '') =>
    engine.addCandidates({ roleId: role.id, column, performers });
  const finishPicking = () => {
    picking.close();
    setPicked([]);
    if (picked.length > 0) void toastOnError(add(picked));
  };
  /** Opens the form that asks, with these performers in it beside those who wait there. */
  const ask = async (asked: readonly CardView[]) => {
    const cards = asked.map(({ performer }) => toPerformerCard(performer));
    navigate(await putIntoAskForm(db, { roleId: role.id, round: 'first' }, cards));
  };
  const remove = async ({ id, performer }: CardView) => {
    const { op } = await engine.remove('candidate', id);
    toast({
      text: `${performer.name} is off the shortlist`,
      icon: UserMinus,
      action: undoAction(engine, op, UserMinus),
    });
  };
  const putBack = async ({ op, column, performer }: CardView) => {
    if (op !== undefined) await engine.discard(op);
    await add([toPerformerCard(performer)], column);
  };
  return (
    <div className="mx-auto max-w-[1216px] px-3 pt-1 pb-6 md:px-6 md:pt-6">
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <div className="min-w-0 grow basis-60">
          <p className="text-sm break-words text-muted">
            <Link to={`/casting/roles/${role.id}`} className="link">
              {role.body.name}, {project.body.title}
            </Link>
          </p>
          <h1 className="text-2xl font-bold">
            Shortlist <span className="num text-base font-medium text-muted">{view.count}</span>
          </h1>
        </div>
        <div className="flex flex-wrap gap-2">
          {view.count > 0 && right === 'own' && (
            <Button
              look={chosen === null ? 'line' : 'tonal'}
              icon={ListChecks}
              aria-pressed={chosen !== null}
              onClick={() => setChosen(chosen === null ? new Set() : null)}
            >
              Select
            </Button>
          )}
          {canChange && (
            <>
              <Button look="line" icon={Plus} onClick={() => picking.open()}>
                Add
              </Button>
              <ButtonLink icon={Search} to={searchPath}>
                Find performers
              </ButtonLink>
            </>
          )}
        </div>
      </div>
      {view.count === 0 && (
        <ErrorPage
          level={2}
          icon={UsersRound}
          title="Nobody on it yet"
          text={
            canChange
              ? 'Find performers and add them here. Nobody is told that they are on a shortlist.'
              : 'Whoever may rate in this project can add performers.'
          }
        />
      )}
      <div className={view.count === 0 ? 'mt-2' : 'mt-3'}>
        <Board
          view={view}
          canChange={canChange}
          canAsk={canAsk}
          chosen={chosen}
          onChoose={(id, isChosen) =>
            setChosen(
              (now) => new Set(isChosen ? [...(now ?? []), id] : [...(now ?? [])].filter((each) => each !== id)),
            )
          }
          onAsk={(asked) => void toastOnError(ask(asked))}
          onRemove={(card) => void toastOnError(remove(card))}
          onPutBack={(card) => void toastOnError(putBack(card))}
        />
      </div>
      {view.count > 0 && canChange && (
        <p className="mt-1 px-1 text-sm text-muted">
          Your order is kept on this {deviceWord()}, also without signal. Drag a card, or tap its handle to choose a
          column. On a keyboard, the arrow keys move the card of a handle. Nobody is told that they are on a shortlist.
        </p>
      )}
      {chosen !== null && (
        <ChosenBar
          cards={cards.filter(({ id }) => chosen.has(id))}
          canAsk={canAsk}
          onAsk={(asked) => void toastOnError(ask(asked))}
        />
      )}
      {picking.isOpen && (
        <PickSheet
          chosen={picked}
          whyNot={(card) =>
            cards.some(({ performer }) => performer.profile_id === card.profile_id) ? 'On the shortlist' : undefined
          }
          searchPath={searchPath}
          onChange={setPicked}
          onClose={finishPicking}
        />
      )}
    </div>
  );
}

interface ChosenBarProps {
  cards: readonly CardView[];
  canAsk: boolean;
  onAsk: (cards: readonly CardView[]) => void;
}

/** What can be done with all chosen cards at once. */
function ChosenBar({ cards, canAsk, onAsk }: ChosenBarProps) {
  const open = cards.filter(({ request }) => request === null);
  const asked = cards.length - open.length;
  return (
    <div className="notice sticky bottom-3 z-10 mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 p-3" role="status">
      <p className="grow text-sm">
        {cards.length === 0 ? 'Choose performers' : count(cards.length, 'performer')}
        {asked > 0 && <span className="text-muted">, {asked} asked already</span>}
        {!canAsk && <span className="text-muted">. This role takes no new requests.</span>}
      </p>
      <Button icon={Send} disabled={!canAsk || open.length === 0} onClick={() => onAsk(open)}>
        {open.length === 0 ? 'Ask to tape' : `Ask ${open.length} to tape`}
      </Button>
    </div>
  );
}
