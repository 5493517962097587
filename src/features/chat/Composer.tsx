import { ArrowUp, Plus } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { codePoints } from '#contract/text.ts';
import type { ConversationView } from '#db/messages.ts';
import { dropSentText, saveChatDraft } from '#shared/forms/drafts.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError, toErrorText } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { IconButton } from '#ui/Button.tsx';
import { FilePicker } from '#ui/FilePicker.tsx';
import { useGrowingField } from '#ui/grow-field.ts';
import { toast } from '#ui/Toast.tsx';
import { useDropAndPaste } from '#ui/use-drop-and-paste.ts';
import { DraftPhoto } from './DraftPhoto.tsx';
import { useDraftPhoto } from './use-draft-photo.ts';

/** From here on it is said how many characters are left. */
const WARN_AT = LIMITS.messageText - 200;

const hasKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** Where a message is typed. What stands in it is kept on this device with every key, a photo as soon as it is picked. */
export function Composer({ view, onSent }: { view: ConversationView; onSent: () => void }) {
  const { db, engine } = useAccount();
  const [text, setText] = useState(view.draft);
  const { isStoring, pick, remove } = useDraftPhoto(view.id);
  // What was done here shows at once; the draft says so a moment later.
  const [taken, setTaken] = useState<string | null>(null);
  const [gone, setGone] = useState<string | null>(null);
  const drafted = view.draftPhoto ?? taken;
  const photoId = drafted === gone ? null : drafted;
  const photo = useQuery(async (on) => (photoId === null ? undefined : on.media.get(photoId)), [photoId]);
  // A server that knows no stars is one of the bare specification, and takes words alone.
  const takesPhotos = view.starred !== null;
  const field = useRef<HTMLTextAreaElement>(null);
  useGrowingField(field, text);
  const { name, user_id } = view.other;
  const length = codePoints(text);
  const isTooLong = length > LIMITS.messageText;
  const canSend = (text.trim() !== '' || photoId !== null) && !isTooLong && !isStoring;

  // A phone opens its keyboard when it is asked to; a computer's is always there.
  useEffect(() => {
    if (hasKeyboard()) field.current?.focus({ preventScroll: true });
  }, []);

  const change = (next: string) => {
    setText(next);
    saveChatDraft(db, view.id, next, Date.now());
  };
  const handlePick = async (files: readonly File[]) => {
    if (isStoring || !takesPhotos) return;
    setTaken(await pick(files));
    field.current?.focus();
  };
  const handleRemove = () => {
    setGone(photoId);
    void toastOnError(remove());
    field.current?.focus();
  };
  useDropAndPaste((files) => void handlePick(files));

  const send = async () => {
    if (!canSend) return;
    setText('');
    setGone(photoId);
    field.current?.focus();
    try {
      const to = { conversationId: view.id, userId: user_id, name };
      await engine.sendMessage(to, text.trim(), photoId ?? undefined);
      dropSentText(db, view.id, text);
      onSent();
    } catch (error) {
      // It could not be kept: the words are back where they were typed, unless others stand there by now.
      setText((now) => (now === '' ? text : now));
      setGone(null);
      toast({ text: toErrorText(error, undefined, { noun: 'your message', isTyped: true }) });
    }
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !hasKeyboard()) return;
    event.preventDefault();
    void send();
  };

  return (
    <form
      className="border-t border-base-300 bg-base-100 px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] md:px-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {(isStoring || photoId !== null) && <DraftPhoto photo={isStoring ? undefined : photo} onRemove={handleRemove} />}
      {length > WARN_AT && (
        <p id="message-length" className={`px-3 pb-1 text-xs ${isTooLong ? 'text-needs' : 'text-muted'}`}>
          {isTooLong
            ? `${length - LIMITS.messageText} characters too long. Send it as two messages.`
            : `${LIMITS.messageText - length} characters left`}
        </p>
      )}
      <div className="flex items-end gap-1">
        {takesPhotos && <AddPhoto isDisabled={isStoring} onPick={(files) => void handlePick(files)} />}
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          enterKeyHint="enter"
          aria-label={`Message ${name}`}
          aria-describedby={length > WARN_AT ? 'message-length' : undefined}
          aria-invalid={isTooLong || undefined}
          placeholder={`Message ${name.split(' ')[0]}`}
          className="field-sizing-content mr-1 max-h-[8.6rem] min-h-11 min-w-0 grow resize-none rounded-3xl border border-field bg-base-100 px-4 py-2.5 text-base leading-snug"
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={handleKey}
        />
        <IconButton
          type="submit"
          label={`Send to ${name}`}
          icon={ArrowUp}
          disabled={!canSend}
          className="shrink-0 rounded-full bg-primary text-primary-content disabled:bg-base-300 disabled:text-muted"
        />
      </div>
    </form>
  );
}

function AddPhoto({ isDisabled, onPick }: { isDisabled: boolean; onPick: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        label="Add a photo"
        icon={Plus}
        disabled={isDisabled}
        className="shrink-0 text-primary"
        onClick={() => input.current?.click()}
      />
      {/* Named by kind, so that a phone offers its camera, too, and gives a JPEG of what only it can read. */}
      <FilePicker ref={input} accept="image/jpeg,image/png" testId="photo-picker" onPick={onPick} />
    </>
  );
}
