import { ArrowUp, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { codePoints } from '#contract/text.ts';
import type { ConversationView } from '#db/conversations.ts';
import { saveMessageDraft } from '#db/messages.ts';
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
import { QuotedText } from './ThreadLog.tsx';
import { useDraftPhoto } from './use-draft-photo.ts';

/** A longer message shows how many characters are left. */
const WARNING_LENGTH = LIMITS.messageText - 200;

const hasKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** The message field. Its draft is stored on this device with every keystroke, and a photo as soon as it is picked. */
export function Composer({ view, onSent }: { view: ConversationView; onSent: () => void }) {
  const { db, engine } = useAccount();
  const [text, setText] = useState(view.draft.message);
  const { isStoring, pick, remove } = useDraftPhoto(view.id);
  // The photo picked or removed here, until the stored draft reflects it.
  const [pickedId, setPickedId] = useState<string | null>(null);
  const [removedId, setRemovedId] = useState<string | null>(null);
  const draftPhotoId = view.draft.photo ?? pickedId;
  const photoId = draftPhotoId === removedId ? null : draftPhotoId;
  const photo = useQuery(async (on) => (photoId === null ? undefined : on.media.get(photoId)), [photoId]);
  // The basic API has neither stars nor photos in messages, and people who are not connected send none.
  const canSendPhotos = view.toggles.starred.value !== null && view.isConnected;
  const replyTo = view.draft.reply_to ?? null;
  const field = useRef<HTMLTextAreaElement>(null);
  useGrowingField(field, text);
  const { name, user_id } = view.other;
  const length = codePoints(text);
  const isTooLong = length > LIMITS.messageText;
  const canSend = (text.trim() !== '' || photoId !== null) && !isTooLong && !isStoring;

  const [replyAtStart] = useState(replyTo);
  // The person has tapped Reply: they want to type, on a phone too. A reply that waits in the draft opens no keyboard.
  useEffect(() => {
    if (replyTo !== null && replyTo !== replyAtStart) field.current?.focus();
  }, [replyTo, replyAtStart]);

  // On a touch screen, focusing the field would open the on-screen keyboard.
  useEffect(() => {
    if (hasKeyboard()) field.current?.focus({ preventScroll: true });
  }, []);

  const change = (next: string) => {
    setText(next);
    saveChatDraft(db, view.id, next, Date.now());
  };
  const handlePick = async (files: readonly File[]) => {
    if (isStoring || !canSendPhotos) return;
    setPickedId(await pick(files));
    field.current?.focus();
  };
  const handleRemove = () => {
    setRemovedId(photoId);
    void toastOnError(remove());
    field.current?.focus();
  };
  const cancelReply = () => saveMessageDraft(db, view.id, { reply_to: null }, Date.now());
  useDropAndPaste((files) => void handlePick(files));

  const send = async () => {
    if (!canSend) return;
    setText('');
    setRemovedId(photoId);
    field.current?.focus();
    try {
      const to = { conversationId: view.id, userId: user_id, name };
      const reply = replyTo === null ? {} : { reply_to: replyTo };
      await engine.sendMessage(to, { message: text.trim(), ...reply }, photoId ?? undefined);
      dropSentText(db, view.id, text);
      onSent();
    } catch (error) {
      // The message could not be stored: restore its text, unless the user has typed something else.
      setText((now) => (now === '' ? text : now));
      setRemovedId(null);
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
      {replyTo !== null && (
        <div className="flex items-center gap-2 pb-1 pl-3">
          <div className="flex min-w-0 grow flex-col border-l-4 border-primary pl-3 text-sm">
            <QuotedText conversationId={view.id} name={name} seq={replyTo} />
          </div>
          <IconButton label="Cancel reply" icon={X} onClick={() => void toastOnError(cancelReply())} />
        </div>
      )}
      {(isStoring || photoId !== null) && <DraftPhoto photo={isStoring ? undefined : photo} onRemove={handleRemove} />}
      {length > WARNING_LENGTH && (
        <p id="message-length" className={`px-3 pb-1 text-xs ${isTooLong ? 'text-needs' : 'text-muted'}`}>
          {isTooLong
            ? `${length - LIMITS.messageText} characters too long. Send it as two messages.`
            : `${LIMITS.messageText - length} characters left`}
        </p>
      )}
      <div className="flex items-end gap-1">
        {canSendPhotos && <AddPhoto isDisabled={isStoring} onPick={(files) => void handlePick(files)} />}
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          enterKeyHint="enter"
          aria-label={`Message ${name}`}
          aria-describedby={length > WARNING_LENGTH ? 'message-length' : undefined}
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
      {/* With exact types, a phone also offers its camera, and converts its own formats to JPEG. */}
      <FilePicker ref={input} accept="image/jpeg,image/png" testId="photo-picker" onPick={onPick} />
    </>
  );
}
