import { Video } from 'lucide-react';
import { useRef, type RefObject } from 'react';
import type { Audition } from '#contract/records/casting.ts';
import { TAPE_LIMITS } from '#contract/records/tapes.ts';
import { getMediaKindOfRecord, type MediaKind } from '#contract/media-kinds.ts';
import { type CastingItem, getRoleTitle } from '#db/casting.ts';
import { fileSize } from '#lib/amounts.ts';
import { lowerFirst, momentText } from '#lib/deadline.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { useDraftForm, type DraftForm } from '#shared/forms/use-draft-form.ts';
import { PickedRow } from '#shared/picked-files/PickedRow.tsx';
import { canSave, getAcceptAttribute, type PickedFile } from '#shared/picked-files/picked-files.ts';
import { useDraftFiles } from '#shared/picked-files/use-draft-files.ts';
import { useKeepFiles } from '#shared/picked-files/use-keep-files.ts';
import { usePicks } from '#shared/picked-files/use-picked-files.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { useUploadLimits } from '#shared/queries/use-upload-limits.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { FilePicker } from '#ui/FilePicker.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { getTakeName } from './take-names.ts';

/** Takes are videos; how many of them is up to the request. */
const getKind = (takes: number): MediaKind => ({
  ...getMediaKindOfRecord('video')!,
  maxFiles: Math.min(takes + 2, TAPE_LIMITS.takes),
});

interface TapeSheetProps {
  item: CastingItem<'audition'>;
  onClose: () => void;
}

/** Puts takes together to a tape and sends it. Works offline throughout: what counts is when it was finished here. */
export function TapeSheet(props: TapeSheetProps) {
  const body = useRef<HTMLDivElement>(null);
  const form = useDraftForm({ key: `tape:${props.item.id}`, start: { note: '' }, body });
  const files = useDraftFiles(form.kept);
  const maxBytes = useUploadLimits()?.video;
  if (files === undefined || maxBytes === undefined) return null;
  return <LoadedSheet {...props} form={form} body={body} files={files} maxBytes={maxBytes} />;
}

interface LoadedSheetProps extends TapeSheetProps {
  form: DraftForm;
  body: RefObject<HTMLDivElement | null>;
  files: readonly PickedFile[];
  maxBytes: number;
}

function LoadedSheet({ item, onClose, form, body, files, maxBytes }: LoadedSheetProps) {
  const { engine, user } = useAccount();
  const isOnline = useOnline();
  const picker = useRef<HTMLInputElement>(null);
  const audition: Audition = item.body;
  const kind = getKind(audition.takes);
  const picks = usePicks(kind, maxBytes, files);
  const stored = picks.files.filter((file) => file.state === 'stored');
  const isTouched = picks.files.length > 0 || form.isChanged;
  useKeepFiles(form, stored, isTouched);

  const handlePick = (picked: File[]) => {
    const left = picks.add(picked);
    form.showError(left > 0 ? `${count(kind.maxFiles, 'take')} are the most for this tape.` : null);
  };
  const handleSend = async () => {
    if (!canSave(picks.files)) return form.showError('A take is still being copied. Wait a moment.');
    if (stored.length === 0) return form.showError('Add at least one take.');
    const takes = stored.map((file, index) => ({
      mediaId: file.mediaId!,
      name: getTakeName(audition, user.name, file, index),
      label: file.title.slice(0, TAPE_LIMITS.takeLabel).trim() || null,
    }));
    const title = getRoleTitle(audition.role, audition.project);
    const note = form.values.note?.trim() || null;
    const send = async () => void (await engine.sendTape({ auditionId: item.id, takes, note, title }));
    if (await form.submit(send)) {
      toast({ text: `Finished ${lowerFirst(momentText(Date.now(), Date.now()))}. It sends by itself.` });
      onClose();
    }
  };
  const handleDiscard = async () => {
    if (!(await form.discard('Discard this tape?', isTouched))) return;
    for (const file of picks.files) picks.remove(file);
    onClose();
  };
  const bytes = stored.reduce((sum, file) => sum + file.sizeBytes, 0);
  return (
    <Sheet
      title={`Tape for ${audition.role.name}`}
      dirty={isTouched}
      keepText={`Your takes stay on this ${deviceWord()}. Open this again to go on.`}
      onClose={onClose}
      onSubmit={() => void handleSend()}
      foot={
        <FormFoot onDiscard={() => void handleDiscard()}>{bytes === 0 ? 'Send' : `Send ${fileSize(bytes)}`}</FormFoot>
      }
    >
      <div ref={body} className="space-y-4">
        <FormSummary text={form.summary} />
        <p className="text-sm text-muted">
          Up to {count(audition.takes, 'take')}
          {audition.slate && ', a slate'}
          {audition.full_length && ', a full-length shot'}. What counts is when your tape is finished on this{' '}
          {deviceWord()}, not when it arrives.
        </p>
        <ul>
          {picks.files.map((file) => (
            <PickedRow
              key={file.key}
              kind={kind}
              maxBytes={maxBytes}
              file={file}
              isOnline={isOnline}
              needsFullLabel={picks.files.length > 1}
              error={form.errors[file.key]}
              onRename={(title) => picks.rename(file, title)}
              onRemove={() => picks.remove(file)}
              onShrink={() => void picks.shrink(file)}
              onRetry={() => picks.retry(file)}
            />
          ))}
        </ul>
        {picks.files.length < kind.maxFiles && (
          <Button look="tonal" icon={Video} className="w-full" onClick={() => picker.current?.click()}>
            {picks.files.length === 0 ? 'Choose takes' : 'Add another take'}
          </Button>
        )}
        <FilePicker ref={picker} accept={getAcceptAttribute(kind)} multiple testId="takes" onPick={handlePick} />
        <TextArea
          label={`A word to ${audition.casting.name}`}
          name="note"
          optional
          rows={3}
          limit={TAPE_LIMITS.note}
          value={form.values.note ?? ''}
          onChange={(note) => form.change({ note })}
        />
      </div>
    </Sheet>
  );
}
