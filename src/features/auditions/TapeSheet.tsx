import { ArrowDown, ArrowUp, Clapperboard, Film, Video } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Audition } from '#contract/records/casting.ts';
import { TAPE_LIMITS } from '#contract/records/tapes.ts';
import { getMediaKindOfRecord, type MediaKind } from '#contract/media-kinds.ts';
import { type AuditionView, getRoleTitle } from '#db/casting.ts';
import { fileSize } from '#lib/amounts.ts';
import { formatSendingTime } from '#ui/sending-time.ts';
import { lowerFirst, momentText } from '#lib/deadline.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { useDraftForm, type DraftForm } from '#shared/forms/use-draft-form.ts';
import { LeaveLink } from '#shared/picked-files/LeaveLink.tsx';
import { PickedRow } from '#shared/picked-files/PickedRow.tsx';
import { canSave, getAcceptAttribute, getKeepText, type PickedFile } from '#shared/picked-files/picked-files.ts';
import { useDraftFiles } from '#shared/picked-files/use-draft-files.ts';
import { usePdfs } from '#shared/picked-files/use-pdfs.ts';
import { useKeepFiles } from '#shared/picked-files/use-keep-files.ts';
import { type FilePicks, usePicks } from '#shared/picked-files/use-picked-files.ts';
import { prepareFinishing } from '#shared/takes/finish-take.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { useUploadLimits } from '#shared/queries/use-upload-limits.ts';
import type { UploadLimits } from '#sync/server/upload-limits.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { FilePicker } from '#ui/FilePicker.tsx';
import { FormFoot } from '#ui/FormFoot.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { toast } from '#ui/Toast.tsx';
import { useNow } from '#ui/use-now.ts';
import { getTakeLabel, getTakeName } from '#shared/casting/take-names.ts';
import { getCvDraftKey } from '#shared/casting/tape-cv.ts';
import { CV_RULES, CvField } from './CvField.tsx';
import { confirmLate } from './late-replacement.ts';
import { getTapeDraftKey } from './prepared-tape.ts';
import { TakeChoices } from './TakeChoices.tsx';

/** Takes are videos; how many of them is up to the request. */
const getKind = (takes: number): MediaKind => ({
  ...getMediaKindOfRecord('video')!,
  maxFiles: Math.min(takes + 2, TAPE_LIMITS.takes),
});

interface TapeSheetProps {
  item: AuditionView;
  /** Why the audition takes no tape; null if it does. */
  obstacle: string | null;
  onClose: () => void;
}

/**
 * Puts takes together to a tape and sends it. Works offline throughout: what counts is when it was finished here. One that is open stays
 * when the audition stops taking tapes, and says why: what is in it must not vanish under the hand.
 */
export function TapeSheet(props: TapeSheetProps) {
  const [couldSend, setCouldSend] = useState(props.obstacle === null);
  if (props.obstacle === null && !couldSend) setCouldSend(true);
  return couldSend && <DraftedSheet {...props} />;
}

function DraftedSheet(props: TapeSheetProps) {
  const body = useRef<HTMLDivElement>(null);
  const form = useDraftForm({ key: getTapeDraftKey(props.item.id), start: { note: '', no_links: '' }, body });
  const cvForm = useDraftForm({ key: getCvDraftKey(props.item.id), start: NO_TEXTS });
  const start = useDraftFiles(form.kept);
  const cvStart = useDraftFiles(cvForm.kept);
  const limits = useUploadLimits();
  if (start === undefined || cvStart === undefined || limits === undefined) return null;
  return <LoadedSheet {...props} {...{ form, cvForm, body, start, cvStart, limits }} />;
}

const NO_TEXTS = {};

interface LoadedSheetProps extends TapeSheetProps {
  form: DraftForm;
  body: RefObject<HTMLDivElement | null>;
  /** Keeps the CV, which is also put there by the page that makes it. */
  cvForm: DraftForm;
  /** The files in their drafts. */
  start: readonly PickedFile[];
  cvStart: readonly PickedFile[];
  limits: UploadLimits;
}

function LoadedSheet({ item, obstacle, onClose, form, cvForm, body, start, cvStart, limits }: LoadedSheetProps) {
  const { user } = useAccount();
  const isOnline = useOnline();
  const now = useNow();
  const picker = useRef<HTMLInputElement>(null);
  const audition: Audition = item.body;
  const maxBytes = limits.video;
  const kind = getKind(audition.takes);
  const picks = usePicks(kind, maxBytes, start, true);
  const stored = picks.files.filter((file) => file.state === 'stored');
  const cv = usePdfs({ form: cvForm, rules: CV_RULES, start: cvStart, maxBytes: limits.document });
  const files = [...picks.files, ...cv.picks.files];
  const isTouched = files.length > 0 || form.isChanged;
  const isFull = picks.files.length >= kind.maxFiles;
  const [isChoosing, setIsChoosing] = useState(false);
  useKeepFiles(form, picks, isTouched);
  // Takes and videos of the camera roll are then made ready without signal, too.
  useEffect(() => void prepareFinishing(), []);

  const handlePick = (picked: File[]) => {
    const left = picks.add(picked);
    form.showError(left > 0 ? `${count(kind.maxFiles, 'take')} are the most for this tape.` : null);
  };
  const handleSend = async () => {
    if (!canSave(picks.files)) return form.showError('A take is not ready yet. Wait a moment.');
    if (stored.length < picks.files.length) return form.showError('Remove the takes that need you, or try them again.');
    if (stored.length === 0) return form.showError('Add at least one take.');
    const [pdf] = cv.toSend();
    if (cv.problem !== null) return form.showError(cv.problem);
    if (cv.picks.files.length > 0 && !pdf) return form.showError('Remove the CV that needs you, or choose another.');
    if (!(await confirmLate(item))) return;
    const takes = stored.map((file, index) => ({
      mediaId: file.mediaId!,
      name: getTakeName(audition, user.name, file, index),
      label: getTakeLabel(file.title),
    }));
    const title = getRoleTitle(audition.role, audition.project);
    const note = form.values.note?.trim() || null;
    const noLinks = form.values.no_links === 'yes';
    const sentCv = pdf ? { mediaId: pdf.upload_id, name: pdf.name } : null;
    const tape = { auditionId: item.id, takes, cv: sentCv, note, noLinks, title };
    if (await form.submit(async (actions) => void (await actions.sendTape(tape)))) {
      cvForm.drop();
      tellFinished();
      onClose();
    }
  };
  const handleDiscard = async () => {
    if (!(await form.discard('Discard this tape?', isTouched))) return;
    for (const file of picks.files) picks.remove(file);
    for (const file of cv.picks.files) cv.picks.remove(file);
    cvForm.drop();
    onClose();
  };
  const cvStored = cv.picks.files.filter((file) => file.state === 'stored');
  const bytes = [...stored, ...cvStored].reduce((sum, file) => sum + file.sizeBytes, 0);
  return (
    <Sheet
      title={`Tape for ${audition.role.name}`}
      dirty={isTouched}
      keepText={getKeepText(files, `Your takes stay on this ${deviceWord()}. Open this again to go on.`)}
      onClose={onClose}
      onSubmit={() => void handleSend()}
      foot={
        <FormFoot onDiscard={() => void handleDiscard()} disabled={obstacle !== null}>
          {bytes === 0 ? 'Send' : `Send ${fileSize(bytes)}`}
        </FormFoot>
      }
    >
      <div ref={body} className="space-y-4">
        <FormSummary text={obstacle ?? form.summary} />
        <p className="text-sm text-muted">
          Up to {count(audition.takes, 'take')}
          {audition.slate && ', a slate'}
          {audition.full_length && ', a full-length shot'}. What counts is when your tape is finished on this{' '}
          {deviceWord()}, not when it arrives.
        </p>
        <ul>
          {picks.files.map((file, index) => (
            <PickedRow
              key={file.key}
              kind={kind}
              maxBytes={maxBytes}
              file={file}
              isOnline={isOnline}
              needsFullLabel={picks.files.length > 1}
              error={form.errors[file.key]}
              picks={picks}
              actions={picks.files.length > 1 && <OrderButtons picks={picks} file={file} index={index} />}
            />
          ))}
        </ul>
        {isChoosing && (
          <TakeChoices
            auditionId={item.id}
            files={files}
            chosen={new Set(picks.files.flatMap(({ take }) => (take ? [take.id] : [])))}
            isFull={isFull}
            onChoose={(take) => picks.addTakes([take])}
            onRemove={(id) => picks.files.filter(({ take }) => take?.id === id).forEach(picks.remove)}
          />
        )}
        <div className="grid gap-2 sm:grid-cols-3">
          <LeaveLink files={files} look="tonal" icon={Clapperboard} to={`/booth?audition=${item.id}`}>
            Record in the booth
          </LeaveLink>
          {!isChoosing && (
            <Button look="tonal" icon={Film} onClick={() => setIsChoosing(true)}>
              Choose from your takes
            </Button>
          )}
          {!isFull && (
            <Button look="tonal" icon={Video} onClick={() => picker.current?.click()}>
              Choose a video
            </Button>
          )}
        </div>
        {bytes > 0 && (
          <p className="num text-sm text-muted">
            {count(stored.length + cvStored.length, 'file')}, {fileSize(bytes)}. {formatSendingTime(bytes, now)}.
          </p>
        )}
        <FilePicker ref={picker} accept={getAcceptAttribute(kind)} multiple testId="takes" onPick={handlePick} />
        <CvField
          audition={audition}
          cv={cv}
          files={files}
          hadCv={item.tapes.some(({ body: tape }) => tape.cv && tape.state !== 'replaced')}
          onNote={form.showError}
        />
        <TextArea
          label={`A word to ${audition.casting.name}`}
          name="note"
          optional
          rows={3}
          limit={TAPE_LIMITS.note}
          value={form.values.note ?? ''}
          onChange={(note) => form.change({ note })}
        />
        <div>
          <p className="text-sm text-muted">
            {audition.casting.name} may share your tape with producers by a link: to watch only, for some days, with
            your name. If you’re under 18, it is never shared.
          </p>
          <Toggle
            label="Don’t share my tape by link"
            checked={form.values.no_links === 'yes'}
            onChange={(isRefused) => form.change({ no_links: isRefused ? 'yes' : '' })}
          />
        </div>
      </div>
    </Sheet>
  );
}

function tellFinished(): void {
  const now = Date.now();
  toast({ text: `Finished ${lowerFirst(momentText(now, now))}. It sends by itself.` });
}

interface OrderButtonsProps {
  picks: FilePicks;
  file: PickedFile;
  index: number;
}

/** Moves a take up or down: the other side watches them in this order. */
function OrderButtons({ picks, file, index }: OrderButtonsProps) {
  return (
    <div className="-ml-2.5 flex">
      {index > 0 && <IconButton label={`Move ${file.title} up`} icon={ArrowUp} onClick={() => picks.move(file, -1)} />}
      {index < picks.files.length - 1 && (
        <IconButton label={`Move ${file.title} down`} icon={ArrowDown} onClick={() => picks.move(file, 1)} />
      )}
    </div>
  );
}
