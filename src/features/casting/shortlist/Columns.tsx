import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { type ColumnChange, SHORTLIST_LIMITS } from '#contract/casting/shortlist.ts';
import { codePoints } from '#contract/text.ts';
import { getRoleTitle } from '#db/casting.ts';
import type { ColumnView, ShortlistView } from '#db/shortlist.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Button } from '#ui/Button.tsx';
import { confirm } from '#ui/confirm.tsx';
import { Dots } from '#ui/Dots.tsx';
import { TextField } from '#ui/Field.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { planAppend } from './arrange.ts';

interface ColumnsProps {
  view: ShortlistView;
  columns: readonly ColumnView[];
}

/** Changes the columns of a shortlist. */
function useChangeColumns({ role, project }: ShortlistView) {
  const { engine } = useAccount();
  return (changes: readonly ColumnChange[]) =>
    engine.act({
      type: 'role',
      id: role.id,
      act: 'columns',
      fields: { columns: changes },
      title: getRoleTitle(role.body, project.body),
    });
}

/** The name of a column, with what can be done with it. */
export function ColumnHead({
  column,
  columns,
  view,
  canChange,
}: ColumnsProps & { column: ColumnView; canChange: boolean }) {
  const { engine } = useAccount();
  const renaming = useSheetParam('column');
  const change = useChangeColumns(view);
  const { id, name, cards } = column;
  const first = columns.find((each) => each.id !== id);
  const remove = async (home: ColumnView) => {
    const isSure =
      cards.length === 0 ||
      (await confirm({
        title: `Remove ${name}?`,
        text: `${count(cards.length, 'performer')} in it will move to ${home.name}.`,
        yes: 'Remove',
        danger: true,
      }));
    if (!isSure) return;
    const ids = cards.map((card) => card.id);
    if (ids.length > 0) await engine.moveCandidates(planAppend(columns, ids, home.id));
    await change([{ id, name: null }]);
  };
  const items: MenuItem[] = [
    { label: 'Rename', icon: Pencil, onSelect: () => renaming.open(id) },
    ...(first
      ? [{ label: 'Remove', icon: Trash2, danger: true, onSelect: () => void toastOnError(remove(first)) }]
      : []),
  ];
  return (
    <div className="flex min-h-11 items-center gap-1.5 pl-1">
      <h2 className="min-w-0 truncate font-bold">{name}</h2>
      <span className="num grow text-sm font-medium text-muted">{cards.length}</span>
      {canChange && <Menu label={`More for ${name}`} trigger={<Dots />} triggerClass="tap text-muted" items={items} />}
      {renaming.value === id && (
        <NameSheet
          title="Rename column"
          name={name}
          taken={columns.filter((each) => each.id !== id).map((each) => each.name)}
          onSave={(next) => change([{ id, name: next }])}
          onClose={renaming.close}
        />
      )}
    </div>
  );
}

/** Adds a column, as long as there may be more. */
export function AddColumn({ view, columns }: ColumnsProps) {
  const adding = useSheetParam('new-column');
  const change = useChangeColumns(view);
  if (columns.length >= SHORTLIST_LIMITS.columns) return null;
  return (
    <div className="shrink-0 snap-start">
      <Button look="plain" icon={Plus} onClick={() => adding.open()}>
        Add a column
      </Button>
      {adding.isOpen && (
        <NameSheet
          title="Add a column"
          name=""
          taken={columns.map(({ name }) => name)}
          onSave={(name) => change([{ id: crypto.randomUUID(), name }])}
          onClose={adding.close}
        />
      )}
    </div>
  );
}

interface NameSheetProps {
  title: string;
  name: string;
  /** The names of the other columns. */
  taken: readonly string[];
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
}

function NameSheet({ title, name, taken, onSave, onClose }: NameSheetProps) {
  const [typed, setTyped] = useState(name);
  const [error, setError] = useState<string | undefined>(undefined);
  const most = SHORTLIST_LIMITS.columnName;
  const getError = (text: string) => {
    if (text === '') return 'Name the column';
    if (codePoints(text) > most) return `Keep it to ${most} characters`;
    return taken.includes(text) ? 'There is a column of that name' : undefined;
  };
  const isSaving = useRef(false);
  const save = async () => {
    const text = typed.trim();
    const found = getError(text);
    setError(found);
    // An impatient second tap must not make a second column.
    if (found !== undefined || isSaving.current) return;
    isSaving.current = true;
    try {
      if (text !== name) await onSave(text);
      onClose();
    } finally {
      isSaving.current = false;
    }
  };
  return (
    <Sheet
      title={title}
      dirty={typed !== name}
      onClose={onClose}
      onSubmit={() => void toastOnError(save())}
      foot={<FormFoot onDiscard={onClose}>Save</FormFoot>}
    >
      <TextField name="column" label="Name" value={typed} error={error} onChange={setTyped} />
    </Sheet>
  );
}
