import { useState } from 'react';
import type { Take } from '#db/rows.ts';
import { codePoints } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { FormFoot } from '#ui/FormFoot.tsx';
import { TextField } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';

const NAME_MAX = 120;

/** Why a name cannot be used; null if it can. */
export function checkName(name: string): string | null {
  if (name.trim() === '') return 'Enter a name';
  return codePoints(name.trim()) > NAME_MAX ? `Use at most ${NAME_MAX} characters` : null;
}

/** Gives a take another name. */
export function RenameSheet({ take, onClose }: { take: Take; onClose: () => void }) {
  const { db } = useAccount();
  const [name, setName] = useState(take.name);
  const [error, setError] = useState<string | null>(null);
  const handleSave = async () => {
    const problem = checkName(name);
    setError(problem);
    if (problem !== null) return;
    await db.takes.update(take.id, { name: name.trim() });
    onClose();
  };
  return (
    <Sheet
      title="Rename take"
      dirty={name !== take.name}
      onClose={onClose}
      onSubmit={() => void toastOnError(handleSave())}
      foot={<FormFoot onDiscard={onClose}>Save</FormFoot>}
    >
      <TextField name="name" label="Name" value={name} error={error ?? undefined} onChange={setName} />
    </Sheet>
  );
}
