import { Link2, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from '#ui/router.tsx';
import { MEDIA_KINDS } from '#contract/media-kinds.ts';
import { capitalized } from '#contract/text.ts';
import { mediaItems } from '#db/queries.ts';
import { fileSize } from '#lib/amounts.ts';
import { megabytes } from '#lib/file-types-text.ts';
import { numberInWords, shortName } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { toErrorText } from '#shared/error-text.ts';
import { type Draft, useDraft } from '#shared/forms/use-draft.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { useUploadLimits } from '#shared/queries/use-upload-limits.ts';
import type { UploadLimits } from '#sync/server/upload-limits.ts';
import { KIND_ICONS } from '#shared/kind-icons.ts';
import { FilePicker } from '#ui/FilePicker.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { useBusyWhile } from '#ui/busy.ts';
import { Card } from '#ui/Card.tsx';
import { deviceWord } from '#ui/device.ts';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { FieldError } from '#ui/FieldError.tsx';
import { LocalImage } from '#ui/LocalImage.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { type FileErrors, getFileLabel, type GalleryFile, validateFiles, validateOnServer } from './gallery.ts';
import { linkLines } from './media-form.ts';
import { getUploadedBytes } from './uploaded-bytes.ts';
import { getAcceptAttribute, toTitle, type PickedFile } from '#shared/picked-files/picked-files.ts';
import { useDraftFiles } from '#shared/picked-files/use-draft-files.ts';
import { useGalleryFiles } from './use-gallery-files.ts';

const ACCEPT = MEDIA_KINDS.map(getAcceptAttribute).join(',');
const NONE: FileErrors = {};
const NO_DRAFT = {};
const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * What is left of the links. Somebody may have typed more of them while the server was asked about the files.
 * @param sent the text when they pressed Upload
 * @param queued the links in it
 */
const withoutQueued = (text: string, sent: string, queued: readonly string[]): string =>
  text === sent
    ? ''
    : text
        .split('\n')
        .filter((line) => !queued.includes(line.trim()))
        .join('\n');

/** 'Photos up to 10 MB, videos up to 500 MB, …' */
const formatLimits = (limits: UploadLimits): string =>
  capitalized(MEDIA_KINDS.map(({ key, plural }) => `${plural} up to ${megabytes(limits[key])} MB`).join(', '));

interface GalleryUploadProps {
  profileId: string;
}

/**
 * Adds files of all kinds and YouTube links at once; each is named after its file. As in the sheets, files are stored on
 * this device as soon as they are picked, and both outlast the page.
 */
export function GalleryUpload({ profileId }: GalleryUploadProps) {
  const key = `gallery:${profileId}`;
  const draft = useDraft(key);
  const limits = useUploadLimits();
  const files = useDraftFiles(draft.kept === null ? NO_DRAFT : draft.kept);
  if (limits === undefined || files === undefined) return null;
  return <LoadedUpload profileId={profileId} draftKey={key} draft={draft} limits={limits} start={files} />;
}

interface LoadedUploadProps extends GalleryUploadProps {
  draftKey: string;
  draft: Draft;
  limits: UploadLimits;
  /** The stored files of an earlier visit. */
  start: readonly PickedFile[];
}

function LoadedUpload({ profileId, draftKey, draft, limits, start }: LoadedUploadProps) {
  const { engine } = useAccount();
  const isOnline = useOnline();
  const picker = useRef<HTMLInputElement>(null);
  const [kept, setKept] = useState(() => ({ links: toText(draft.kept?.links), files: start.map(({ key }) => key) }));
  const latest = useRef(kept);
  const keep = (changed: Partial<typeof kept>) => {
    latest.current = { ...latest.current, ...changed };
    setKept(latest.current);
    const { links, files } = latest.current;
    if (links === '' && files.length === 0) draft.drop().catch(reportError);
    else draft.keep(latest.current);
  };
  const { files, copy, add, remove, release } = useGalleryFiles(start, limits, (ids) => {
    keep({ files: [...ids] });
    // Saved at once: the cleanup deletes stored files that no draft references.
    draft.flush();
  });
  const { links } = kept;
  const [errors, setErrors] = useState(NONE);
  const [linkError, setLinkError] = useState<string | null>(null);
  const [summary, setSummary] = useState<string | null>(null);
  const [isQueueing, setQueueing] = useState(false);
  const [queued, setQueued] = useState<readonly string[]>([]);
  useBusyWhile(isQueueing);
  const isBusy = isQueueing || copy !== null;

  const showResult = (text: string | null, found: FileErrors = NONE) => {
    setSummary(text);
    setErrors(found);
  };
  /** Returns the links to queue; null if something must be corrected first. */
  const check = async (): Promise<readonly string[] | null> => {
    const { links: lines, error } = linkLines(links);
    setLinkError(error);
    if (files.length === 0 && lines.length === 0 && error === null) {
      showResult('No files uploaded!');
      return null;
    }
    const here = validateFiles(files, limits);
    const found = Object.keys(here).length > 0 ? here : await validateOnServer(files);
    const hasErrors = Object.keys(found).length > 0;
    showResult(hasErrors ? 'Some files failed validation. Check errors below.' : null, found);
    return hasErrors || error !== null ? null : lines;
  };
  const queue = async (lines: readonly string[]) => {
    const ready = files.flatMap((file) => {
      const { kind, mediaId, name } = file;
      return kind && mediaId ? [{ file, mediaId, fields: { media_type: kind.key, name: toTitle(name) } }] : [];
    });
    const linked = lines.map((youtube_url) => ({ fields: { name: 'YouTube video', youtube_url } }));
    // So that local storage has no copy any more when the items are stored.
    draft.flush();
    const { addMedia } = await engine.endingDraft(draftKey);
    const added = await addMedia(profileId, [...ready, ...linked]);
    setQueued((before) => [...before, ...added.map(({ id }) => id)]);
    keep({ links: withoutQueued(latest.current.links, links, lines) });
    for (const { file } of ready) release(file);
  };
  const handleSave = async () => {
    if (isBusy) return;
    setQueueing(true);
    try {
      const lines = await check();
      if (lines !== null) await queue(lines);
    } catch (error) {
      showResult(
        toErrorText(error, 'An unexpected error occurred. What you picked is still here.', { noun: 'the file' }),
      );
    } finally {
      setQueueing(false);
    }
  };

  return (
    <Card title="Add files and links">
      <div className="space-y-4">
        <FormSummary text={summary} />
        <div className="flex flex-wrap items-center gap-3">
          <Button look="tonal" onClick={() => picker.current?.click()}>
            Choose files
          </Button>
          <span className="text-sm text-muted">{formatLimits(limits)} a file</span>
        </div>
        <FilePicker
          ref={picker}
          accept={ACCEPT}
          multiple
          testId="gallery-picker"
          onPick={(picked) => {
            add(picked);
            showResult(null);
          }}
        />
        {files.length > 0 && (
          <ul className="flex flex-wrap gap-3">
            {files.map((each, index) => (
              <li key={each.key}>
                <Preview
                  file={each}
                  label={getFileLabel(index)}
                  error={errors[getFileLabel(index)] ?? each.problem}
                  onRemove={() => {
                    remove(each);
                    showResult(null);
                  }}
                />
              </li>
            ))}
          </ul>
        )}
        <TextArea
          name="gallery-links"
          label="YouTube links, one per line"
          optional
          rows={2}
          placeholder="https://youtu.be/…"
          value={links}
          error={linkError ?? undefined}
          onChange={(typed) => keep({ links: typed })}
        />
        <Button
          disabled={isBusy}
          icon={links.trim() !== '' && files.length === 0 ? Link2 : undefined}
          onClick={() => void handleSave()}
        >
          {isBusy ? 'Please wait…' : 'Upload'}
        </Button>
        {copy && <ProgressBar label={`Storing ${shortName(copy.name)}`} done={copy.done} of={copy.of} />}
        {queued.length > 0 && <UploadProgress profileId={profileId} ids={queued} isOnline={isOnline} />}
      </div>
    </Card>
  );
}

interface PreviewProps {
  file: GalleryFile;
  label: string;
  error: string | undefined;
  onRemove: () => void;
}

/** One picked file, 100 px wide, with its error and a button to remove it. */
function Preview({ file: { key, name, size, kind, picture }, label, error, onRemove }: PreviewProps) {
  const Icon = KIND_ICONS[kind?.key ?? 'document'];
  return (
    <figure className="w-[100px]">
      <div className="relative grid size-[100px] place-items-center overflow-hidden rounded-xl bg-base-300">
        <Icon className="size-7 text-muted" strokeWidth={1.75} aria-hidden />
        {picture && <LocalImage id={key} bytes={picture} alt="" className="absolute inset-0 size-full object-cover" />}
        <IconButton
          label={`Remove ${label}, ${shortName(name)}`}
          icon={Trash2}
          className="!absolute right-0 bottom-0 bg-base-100/90"
          onClick={onRemove}
        />
      </div>
      <figcaption className="mt-1 text-xs">
        <b className="block truncate" title={name}>
          {label}: {shortName(name)}
        </b>
        <span className="num text-muted">{fileSize(size)}</span>
        {error && <FieldError>{error}</FieldError>}
      </figcaption>
    </figure>
  );
}

/** 'It needs you.', 'Two of them need you.' */
function getNeedsText(needs: number, total: number): string {
  if (total === 1) return 'It needs you.';
  return `${numberInWords(needs)} of them ${needs === 1 ? 'needs' : 'need'} you.`;
}

/** The upload progress of the media that were just queued. */
function UploadProgress({
  profileId,
  ids,
  isOnline,
}: {
  profileId: string;
  ids: readonly string[];
  isOnline: boolean;
}) {
  const items = useQuery((db) => mediaItems(db, profileId), [profileId]);
  const ours = items?.filter((item) => ids.includes(item.id)) ?? [];
  const { sent, size } = getUploadedBytes(ours);
  // They were deleted since.
  if (items && ours.length === 0) return null;
  const isAllSaved = ours.length > 0 && ours.every((item) => item.state === 'saved');
  const needs = ours.filter((item) => item.state === 'needs').length;
  if (needs > 0) {
    return (
      <p aria-live="polite" className="font-semibold">
        {getNeedsText(needs, ours.length)}{' '}
        <Link to="/waiting" className="inline-flex min-h-11 items-center text-primary underline">
          See what happened
        </Link>
      </p>
    );
  }
  return (
    <div aria-live="polite" className="space-y-2">
      <p className="font-semibold">
        {isAllSaved
          ? 'Saved Successfully!'
          : isOnline
            ? 'Please wait…'
            : `Saved on this ${deviceWord()}. It will send when you’re back online.`}
      </p>
      {!isAllSaved && size > 0 && <ProgressBar label="Sending your files" done={sent} of={size} />}
    </div>
  );
}
