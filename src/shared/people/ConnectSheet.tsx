import type { Person } from '#sync/queue/connections.ts';
import { Button } from '#ui/Button.tsx';
import { TextArea } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { useDraftForm } from '#shared/forms/use-draft-form.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';

/** Maximum length of the note, as on the server. */
const NOTE_LIMIT = 1000;
const EMPTY = { text: '' };

/** Sends a connection request with a note. It is queued and works offline. */
export function ConnectSheet({ person, onClose }: { person: Person; onClose: () => void }) {
  const { engine } = useAccount();
  const { values, isChanged, change, drop } = useDraftForm({ key: `connect:${person.userId}`, start: EMPTY });
  const note = values['text'] ?? '';
  const handleClose = () => {
    drop();
    onClose();
  };
  const send = () => {
    const words = note.trim();
    // If the request could not be stored, the note stays for the next attempt.
    void toastOnError(engine.connect(person, words === '' ? undefined : words).then(drop));
    onClose();
  };
  return (
    <Sheet
      title={`Connect with ${person.name}`}
      dirty={isChanged}
      onClose={handleClose}
      onSubmit={send}
      foot={
        <>
          <Button look="line" onClick={handleClose}>
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
        onChange={(text) => change({ text })}
        placeholder="We met at the read-through in Pune…"
        hint="They see it with your request. Once they accept, it becomes your first message."
      />
    </Sheet>
  );
}
