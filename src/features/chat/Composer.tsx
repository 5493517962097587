import { ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { codePoints } from '#contract/text.ts';
import type { ConversationView } from '#db/messages.ts';
import { chatDraft } from '#db/messages.ts';
import { dropDraft, keepDraft } from '#db/drafts.ts';
import { useAccount } from '#session/session.tsx';
import { troubleWords } from '#session/trouble.ts';
import { IconButton } from '#ui/Button.tsx';
import { toast } from '#ui/Toast.tsx';

/** From here on it is said how many characters are left. */
const WARN_AT = LIMITS.messageText - 200;

const hasKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** Where a message is typed. What stands in it is kept on this device with every key. */
export function Composer({ view, onSent }: { view: ConversationView; onSent: () => void }) {
  const { db, engine } = useAccount();
  const [text, setText] = useState(view.draft);
  const field = useRef<HTMLTextAreaElement>(null);
  const { name, user_id } = view.other;
  const length = codePoints(text);
  const isTooLong = length > LIMITS.messageText;
  const canSend = text.trim() !== '' && !isTooLong;

  // A phone opens its keyboard when it is asked to; a computer's is always there.
  useEffect(() => {
    if (hasKeyboard()) field.current?.focus({ preventScroll: true });
  }, []);

  const change = (next: string) => {
    setText(next);
    if (next === '') dropDraft(db, chatDraft(view.id)).catch(console.warn);
    else keepDraft(db, chatDraft(view.id), { message: next }, Date.now());
  };
  const send = async () => {
    if (!canSend) return;
    setText('');
    field.current?.focus();
    try {
      await engine.sendMessage({ conversationId: view.id, userId: user_id, name }, text.trim());
      onSent();
    } catch (error) {
      // It could not be kept: the words are back where they were typed, unless others stand there by now.
      setText((now) => (now === '' ? text : now));
      toast({ text: troubleWords(error) });
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
      {length > WARN_AT && (
        <p id="message-length" className={`px-3 pb-1 text-xs ${isTooLong ? 'text-needs' : 'text-muted'}`}>
          {isTooLong
            ? `${length - LIMITS.messageText} characters too many. Send it in two messages.`
            : `${LIMITS.messageText - length} characters left`}
        </p>
      )}
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          enterKeyHint="enter"
          aria-label={`Message ${name}`}
          aria-describedby={length > WARN_AT ? 'message-length' : undefined}
          aria-invalid={isTooLong || undefined}
          placeholder={`Message ${name.split(' ')[0]}`}
          className="field-sizing-content max-h-[8.6rem] min-h-11 min-w-0 grow resize-none rounded-3xl border border-field bg-base-100 px-4 py-2.5 text-base leading-snug"
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
