import { useState } from 'react';
import type { Whom } from '#sync/people.ts';
import { Button } from '#ui/Button.tsx';
import { TextArea } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { usePeopleActs } from './use-people-acts.ts';

/** Of what goes with a request, as the server takes it. */
const NOTE_LIMIT = 1000;

/** A request with a few words. It leaves when there is signal, like any other. */
export function ConnectSheet({ whom, onClose }: { whom: Whom; onClose: () => void }) {
  const acts = usePeopleActs();
  const [note, setNote] = useState('');
  const send = () => {
    const words = note.trim();
    acts.connect(whom, words === '' ? undefined : words);
    onClose();
  };
  return (
    <Sheet
      title={`Connect with ${whom.name}`}
      dirty={note.trim() !== ''}
      onClose={onClose}
      onSubmit={send}
      foot={
        <>
          <Button look="line" onClick={onClose}>
            Discard
          </Button>
          <Button type="submit">Send request</Button>
        </>
      }
    >
      <TextArea
        name="message"
        label="Note"
        optional
        value={note}
        limit={NOTE_LIMIT}
        onChange={setNote}
        placeholder="We met at the read-through in Pune…"
        hint="They see it with your request. Once they accept, it becomes your first message."
      />
    </Sheet>
  );
}
